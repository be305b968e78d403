function answer(r) {
    r.headersOut['Content-Type'] = 'text/plain';
    r.return(200, 'hello dyno world\n');
}

export default { answer };
