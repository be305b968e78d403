
/*
 * A content handler in Ruby: ngx_http_mruby_module.c is nginx's side of it,
 * ngx_http_mruby_vm.c compiles and runs, ngx_http_mruby_api.c is what the
 * Ruby code sees.
 */


#ifndef _NGX_HTTP_MRUBY_H_INCLUDED_
#define _NGX_HTTP_MRUBY_H_INCLUDED_


#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_http.h>


/* how Debian's libmruby was built, which its headers do not say */

#define MRB_NO_PRESYM
#define MRB_USE_COMPLEX
#define MRB_USE_RATIONAL

#include <mruby.h>


/*
 * Code with bytecode was compiled when the configuration was read and is loaded
 * once in each worker process.  Code without it is a file that each request
 * reads and compiles.
 */

typedef struct {
    ngx_str_t                file;     /* where it stands, NUL-terminated */
    ngx_uint_t               line;     /* of its first line in that file */
    ngx_str_t                bytecode;
    struct RProc            *proc;     /* the bytecode, loaded */
} ngx_http_mruby_code_t;


/* the answer to one request as its code makes it; mrb->ud while that runs */

typedef struct {
    ngx_http_request_t      *request;
    ngx_http_mruby_code_t   *code;
    ngx_int_t                status;   /* Nginx.return's, or NGX_OK */
    ngx_str_t                body;
    size_t                   size;     /* of the buffer that holds the body */
} ngx_http_mruby_ctx_t;


ngx_int_t ngx_http_mruby_read_file(ngx_pool_t *pool, ngx_uint_t level,
    ngx_log_t *log, ngx_str_t *name, ngx_str_t *text);

/* an error has been logged when these return NGX_ERROR or NULL */

ngx_int_t ngx_http_mruby_compile(ngx_conf_t *cf, ngx_http_mruby_code_t *code,
    ngx_str_t *source);
mrb_state *ngx_http_mruby_open(ngx_array_t *codes, ngx_log_t *log);
ngx_int_t ngx_http_mruby_run(mrb_state *mrb, ngx_http_mruby_ctx_t *ctx);

/* raises an exception in mrb where memory runs out */

void ngx_http_mruby_define_api(mrb_state *mrb);


#endif /* _NGX_HTTP_MRUBY_H_INCLUDED_ */
