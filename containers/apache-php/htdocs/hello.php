<?php
echo "hello dyno world\n";
