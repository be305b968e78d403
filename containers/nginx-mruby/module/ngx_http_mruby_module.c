
/*
 * The directives mruby_content_handler_code and mruby_content_handler, the
 * interpreter of each worker process, and the handler that sends the answer.
 */


#include "ngx_http_mruby.h"


typedef struct {
    ngx_array_t              codes;    /* of ngx_http_mruby_code_t *, to load */
    mrb_state               *mrb;      /* one in each worker process */
} ngx_http_mruby_main_conf_t;


typedef struct {
    ngx_http_mruby_code_t   *code;
} ngx_http_mruby_loc_conf_t;


static ngx_int_t ngx_http_mruby_handler(ngx_http_request_t *r);
static void *ngx_http_mruby_create_main_conf(ngx_conf_t *cf);
static void *ngx_http_mruby_create_loc_conf(ngx_conf_t *cf);
static char *ngx_http_mruby_merge_loc_conf(ngx_conf_t *cf, void *parent,
    void *child);
static char *ngx_http_mruby_content_handler_code(ngx_conf_t *cf,
    ngx_command_t *cmd, void *conf);
static char *ngx_http_mruby_content_handler(ngx_conf_t *cf,
    ngx_command_t *cmd, void *conf);
static ngx_int_t ngx_http_mruby_init_process(ngx_cycle_t *cycle);
static void ngx_http_mruby_exit_process(ngx_cycle_t *cycle);


static ngx_command_t  ngx_http_mruby_commands[] = {

    /* mruby_content_handler_code "Ruby"; */
    { ngx_string("mruby_content_handler_code"),
      NGX_HTTP_LOC_CONF|NGX_HTTP_LIF_CONF|NGX_CONF_TAKE1,
      ngx_http_mruby_content_handler_code,
      NGX_HTTP_LOC_CONF_OFFSET,
      0,
      NULL },

    /* mruby_content_handler file [cache]; */
    { ngx_string("mruby_content_handler"),
      NGX_HTTP_LOC_CONF|NGX_HTTP_LIF_CONF|NGX_CONF_TAKE12,
      ngx_http_mruby_content_handler,
      NGX_HTTP_LOC_CONF_OFFSET,
      0,
      NULL },

      ngx_null_command
};


static ngx_http_module_t  ngx_http_mruby_module_ctx = {
    NULL,                                  /* preconfiguration */
    NULL,                                  /* postconfiguration */

    ngx_http_mruby_create_main_conf,       /* create main configuration */
    NULL,                                  /* init main configuration */

    NULL,                                  /* create server configuration */
    NULL,                                  /* merge server configuration */

    ngx_http_mruby_create_loc_conf,        /* create location configuration */
    ngx_http_mruby_merge_loc_conf          /* merge location configuration */
};


ngx_module_t  ngx_http_mruby_module = {
    NGX_MODULE_V1,
    &ngx_http_mruby_module_ctx,            /* module context */
    ngx_http_mruby_commands,               /* module directives */
    NGX_HTTP_MODULE,                       /* module type */
    NULL,                                  /* init master */
    NULL,                                  /* init module */
    ngx_http_mruby_init_process,           /* init process */
    NULL,                                  /* init thread */
    NULL,                                  /* exit thread */
    ngx_http_mruby_exit_process,           /* exit process */
    NULL,                                  /* exit master */
    NGX_MODULE_V1_PADDING
};


static ngx_int_t
ngx_http_mruby_handler(ngx_http_request_t *r)
{
    ngx_http_mruby_ctx_t         ctx;
    ngx_http_complex_value_t     body;
    ngx_http_mruby_loc_conf_t   *mlcf;
    ngx_http_mruby_main_conf_t  *mmcf;

    mmcf = ngx_http_get_module_main_conf(r, ngx_http_mruby_module);
    mlcf = ngx_http_get_module_loc_conf(r, ngx_http_mruby_module);

    ngx_memzero(&ctx, sizeof(ngx_http_mruby_ctx_t));
    ctx.request = r;
    ctx.code = mlcf->code;
    ctx.status = NGX_OK;

    if (ngx_http_mruby_run(mmcf->mrb, &ctx) != NGX_OK) {
        return NGX_HTTP_INTERNAL_SERVER_ERROR;
    }

    if (ctx.status == NGX_OK) {
        ctx.status = NGX_HTTP_OK;
    }

    if (ctx.status < NGX_HTTP_OK || ctx.status >= NGX_HTTP_SPECIAL_RESPONSE) {
        return ctx.status;
    }

    ngx_memzero(&body, sizeof(ngx_http_complex_value_t));
    body.value = ctx.body;

    return ngx_http_send_response(r, ctx.status, NULL, &body);
}


static void *
ngx_http_mruby_create_main_conf(ngx_conf_t *cf)
{
    ngx_http_mruby_main_conf_t  *mmcf;

    mmcf = ngx_pcalloc(cf->pool, sizeof(ngx_http_mruby_main_conf_t));
    if (mmcf == NULL) {
        return NULL;
    }

    if (ngx_array_init(&mmcf->codes, cf->pool, 4,
                       sizeof(ngx_http_mruby_code_t *))
        != NGX_OK)
    {
        return NULL;
    }

    return mmcf;
}


static void *
ngx_http_mruby_create_loc_conf(ngx_conf_t *cf)
{
    ngx_http_mruby_loc_conf_t  *mlcf;

    mlcf = ngx_palloc(cf->pool, sizeof(ngx_http_mruby_loc_conf_t));
    if (mlcf == NULL) {
        return NULL;
    }

    mlcf->code = NGX_CONF_UNSET_PTR;

    return mlcf;
}


static char *
ngx_http_mruby_merge_loc_conf(ngx_conf_t *cf, void *parent, void *child)
{
    ngx_http_mruby_loc_conf_t  *prev = parent;
    ngx_http_mruby_loc_conf_t  *conf = child;

    /* an "if" without a handler of its own runs its location's */
    ngx_conf_merge_ptr_value(conf->code, prev->code, NULL);

    return NGX_CONF_OK;
}


static ngx_int_t
ngx_http_mruby_set_handler(ngx_conf_t *cf, ngx_http_mruby_loc_conf_t *mlcf,
    ngx_http_mruby_code_t *code)
{
    ngx_http_mruby_code_t      **slot;
    ngx_http_core_loc_conf_t    *clcf;
    ngx_http_mruby_main_conf_t  *mmcf;

    if (code->bytecode.len) {
        mmcf = ngx_http_conf_get_module_main_conf(cf, ngx_http_mruby_module);

        slot = ngx_array_push(&mmcf->codes);
        if (slot == NULL) {
            return NGX_ERROR;
        }

        *slot = code;
    }

    mlcf->code = code;

    clcf = ngx_http_conf_get_module_loc_conf(cf, ngx_http_core_module);
    clcf->handler = ngx_http_mruby_handler;

    return NGX_OK;
}


/* the directive has been read to its end, so its code began some lines ago */

static ngx_uint_t
ngx_http_mruby_first_line(ngx_conf_t *cf, ngx_str_t *source)
{
    size_t      i;
    ngx_uint_t  line;

    line = cf->conf_file->line;

    for (i = 0; i < source->len; i++) {
        line -= (source->data[i] == LF);
    }

    return line;
}


static char *
ngx_http_mruby_content_handler_code(ngx_conf_t *cf, ngx_command_t *cmd,
    void *conf)
{
    ngx_http_mruby_loc_conf_t  *mlcf = conf;

    ngx_str_t              *value;
    ngx_http_mruby_code_t  *code;

    if (mlcf->code != NGX_CONF_UNSET_PTR) {
        return "is duplicate";
    }

    value = cf->args->elts;

    code = ngx_pcalloc(cf->pool, sizeof(ngx_http_mruby_code_t));
    if (code == NULL) {
        return NGX_CONF_ERROR;
    }

    code->file = cf->conf_file->file.name;
    code->line = ngx_http_mruby_first_line(cf, &value[1]);

    if (ngx_http_mruby_compile(cf, code, &value[1]) != NGX_OK) {
        return NGX_CONF_ERROR;
    }

    if (ngx_http_mruby_set_handler(cf, mlcf, code) != NGX_OK) {
        return NGX_CONF_ERROR;
    }

    return NGX_CONF_OK;
}


static char *
ngx_http_mruby_content_handler(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    ngx_http_mruby_loc_conf_t  *mlcf = conf;

    ngx_str_t              *value, source;
    ngx_http_mruby_code_t  *code;

    if (mlcf->code != NGX_CONF_UNSET_PTR) {
        return "is duplicate";
    }

    value = cf->args->elts;

    if (cf->args->nelts == 3 && ngx_strcmp(value[2].data, "cache") != 0) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                           "invalid parameter \"%V\"", &value[2]);
        return NGX_CONF_ERROR;
    }

    code = ngx_pcalloc(cf->pool, sizeof(ngx_http_mruby_code_t));
    if (code == NULL) {
        return NGX_CONF_ERROR;
    }

    code->file = value[1];
    code->line = 1;

    if (ngx_conf_full_name(cf->cycle, &code->file, 1) != NGX_OK) {
        return NGX_CONF_ERROR;
    }

    if (cf->args->nelts == 3) {
        if (ngx_http_mruby_read_file(cf->pool, NGX_LOG_EMERG, cf->log,
                                     &code->file, &source)
            != NGX_OK)
        {
            return NGX_CONF_ERROR;
        }

        if (ngx_http_mruby_compile(cf, code, &source) != NGX_OK) {
            return NGX_CONF_ERROR;
        }
    }

    if (ngx_http_mruby_set_handler(cf, mlcf, code) != NGX_OK) {
        return NGX_CONF_ERROR;
    }

    return NGX_CONF_OK;
}


ngx_int_t
ngx_http_mruby_read_file(ngx_pool_t *pool, ngx_uint_t level, ngx_log_t *log,
    ngx_str_t *name, ngx_str_t *text)
{
    ssize_t          n;
    ngx_int_t        rc;
    ngx_file_t       file;
    ngx_file_info_t  fi;

    rc = NGX_ERROR;

    ngx_memzero(&file, sizeof(ngx_file_t));
    file.name = *name;
    file.log = log;

    file.fd = ngx_open_file(name->data, NGX_FILE_RDONLY, NGX_FILE_OPEN, 0);
    if (file.fd == NGX_INVALID_FILE) {
        ngx_log_error(level, log, ngx_errno,
                      ngx_open_file_n " \"%V\" failed", name);
        return NGX_ERROR;
    }

    if (ngx_fd_info(file.fd, &fi) == NGX_FILE_ERROR) {
        ngx_log_error(level, log, ngx_errno,
                      ngx_fd_info_n " \"%V\" failed", name);
        goto done;
    }

    text->data = ngx_pnalloc(pool, ngx_file_size(&fi));
    if (text->data == NULL) {
        goto done;
    }

    n = ngx_read_file(&file, text->data, ngx_file_size(&fi), 0);
    if (n == NGX_ERROR) {
        goto done;
    }

    text->len = n;
    rc = NGX_OK;

done:

    if (ngx_close_file(file.fd) == NGX_FILE_ERROR) {
        ngx_log_error(NGX_LOG_ALERT, log, ngx_errno,
                      ngx_close_file_n " \"%V\" failed", name);
    }

    return rc;
}


static ngx_int_t
ngx_http_mruby_init_process(ngx_cycle_t *cycle)
{
    ngx_http_mruby_main_conf_t  *mmcf;

    mmcf = ngx_http_cycle_get_module_main_conf(cycle, ngx_http_mruby_module);
    if (mmcf == NULL) {
        return NGX_OK;
    }

    mmcf->mrb = ngx_http_mruby_open(&mmcf->codes, cycle->log);

    return mmcf->mrb ? NGX_OK : NGX_ERROR;
}


static void
ngx_http_mruby_exit_process(ngx_cycle_t *cycle)
{
    ngx_http_mruby_main_conf_t  *mmcf;

    mmcf = ngx_http_cycle_get_module_main_conf(cycle, ngx_http_mruby_module);
    if (mmcf == NULL || mmcf->mrb == NULL) {
        return;
    }

    mrb_close(mmcf->mrb);
    mmcf->mrb = NULL;
}
