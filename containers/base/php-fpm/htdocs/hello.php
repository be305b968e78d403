<?php
$body = "hello dyno world\n";
header('Content-Length: ' . strlen($body));
echo $body;
