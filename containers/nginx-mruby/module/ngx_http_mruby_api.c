
/*
 * The module Nginx as Ruby code sees it, a small part of ngx_mruby's.  Its
 * methods work on the request whose code is running.
 */


#include "ngx_http_mruby.h"

#include <mruby/class.h>
#include <mruby/string.h>


typedef struct {
    char                    *name;
    ngx_int_t                value;
} ngx_http_mruby_const_t;


static ngx_http_mruby_const_t  ngx_http_mruby_consts[] = {
    { "OK", NGX_OK },
    { "DECLINED", NGX_DECLINED },
    { "HTTP_OK", NGX_HTTP_OK },
    { "HTTP_CREATED", NGX_HTTP_CREATED },
    { "HTTP_ACCEPTED", NGX_HTTP_ACCEPTED },
    { "HTTP_NO_CONTENT", NGX_HTTP_NO_CONTENT },
    { "HTTP_BAD_REQUEST", NGX_HTTP_BAD_REQUEST },
    { "HTTP_UNAUTHORIZED", NGX_HTTP_UNAUTHORIZED },
    { "HTTP_FORBIDDEN", NGX_HTTP_FORBIDDEN },
    { "HTTP_NOT_FOUND", NGX_HTTP_NOT_FOUND },
    { "HTTP_NOT_ALLOWED", NGX_HTTP_NOT_ALLOWED },
    { "HTTP_INTERNAL_SERVER_ERROR", NGX_HTTP_INTERNAL_SERVER_ERROR },
    { "HTTP_NOT_IMPLEMENTED", NGX_HTTP_NOT_IMPLEMENTED },
    { "HTTP_BAD_GATEWAY", NGX_HTTP_BAD_GATEWAY },
    { "HTTP_SERVICE_UNAVAILABLE", NGX_HTTP_SERVICE_UNAVAILABLE },
    { NULL, 0 }
};


/* makes room for len more bytes of body and returns where they go */

static u_char *
ngx_http_mruby_reserve(mrb_state *mrb, size_t len)
{
    size_t                 size;
    u_char                *data;
    ngx_http_mruby_ctx_t  *ctx;

    ctx = mrb->ud;

    if (len > ctx->size - ctx->body.len) {
        size = ngx_max(2 * ctx->size, ctx->body.len + len);

        data = ngx_pnalloc(ctx->request->pool, size);
        if (data == NULL) {
            mrb_raise(mrb, E_RUNTIME_ERROR, "no memory for the body");
        }

        ngx_memcpy(data, ctx->body.data, ctx->body.len);
        ctx->body.data = data;
        ctx->size = size;
    }

    data = ctx->body.data + ctx->body.len;
    ctx->body.len += len;

    return data;
}


/* Nginx.rputs(object): appends the object as a string to the body */

static mrb_value
ngx_http_mruby_rputs(mrb_state *mrb, mrb_value self)
{
    size_t     len;
    mrb_value  text;

    text = mrb_obj_as_string(mrb, mrb_get_arg1(mrb));
    len = RSTRING_LEN(text);

    ngx_memcpy(ngx_http_mruby_reserve(mrb, len), RSTRING_PTR(text), len);

    return mrb_nil_value();
}


/* Nginx.echo(object): the same, and a newline */

static mrb_value
ngx_http_mruby_echo(mrb_state *mrb, mrb_value self)
{
    size_t     len;
    u_char    *p;
    mrb_value  text;

    text = mrb_obj_as_string(mrb, mrb_get_arg1(mrb));
    len = RSTRING_LEN(text);

    p = ngx_http_mruby_reserve(mrb, len + 1);
    p = ngx_cpymem(p, RSTRING_PTR(text), len);
    *p = LF;

    return mrb_nil_value();
}


/*
 * Nginx.return(status): 200 to 299 goes with the body, 300 to 599 is nginx's
 * own page, Nginx::DECLINED leaves the request to nginx's other handlers
 */

static mrb_value
ngx_http_mruby_return(mrb_state *mrb, mrb_value self)
{
    mrb_int                status;
    ngx_http_mruby_ctx_t  *ctx;

    mrb_get_args(mrb, "i", &status);

    if (status != NGX_OK && status != NGX_DECLINED
        && (status < 200 || status > 599))
    {
        mrb_raisef(mrb, E_ARGUMENT_ERROR, "%i is no status", status);
    }

    ctx = mrb->ud;
    ctx->status = status;

    return mrb_nil_value();
}


static mrb_value
ngx_http_mruby_string(mrb_state *mrb, ngx_str_t *text)
{
    return mrb_str_new(mrb, (char *) text->data, text->len);
}


static mrb_value
ngx_http_mruby_request_uri(mrb_state *mrb, mrb_value self)
{
    ngx_http_mruby_ctx_t  *ctx;

    ctx = mrb->ud;

    return ngx_http_mruby_string(mrb, &ctx->request->uri);
}


static mrb_value
ngx_http_mruby_request_args(mrb_state *mrb, mrb_value self)
{
    ngx_http_mruby_ctx_t  *ctx;

    ctx = mrb->ud;

    return ngx_http_mruby_string(mrb, &ctx->request->args);
}


static mrb_value
ngx_http_mruby_request_method(mrb_state *mrb, mrb_value self)
{
    ngx_http_mruby_ctx_t  *ctx;

    ctx = mrb->ud;

    return ngx_http_mruby_string(mrb, &ctx->request->method_name);
}


void
ngx_http_mruby_define_api(mrb_state *mrb)
{
    struct RClass           *nginx, *request;
    ngx_http_mruby_const_t  *c;

    nginx = mrb_define_module(mrb, "Nginx");

    for (c = ngx_http_mruby_consts; c->name; c++) {
        mrb_define_const(mrb, nginx, c->name, mrb_int_value(mrb, c->value));
    }

    mrb_define_module_function(mrb, nginx, "echo", ngx_http_mruby_echo,
                               MRB_ARGS_REQ(1));
    mrb_define_module_function(mrb, nginx, "rputs", ngx_http_mruby_rputs,
                               MRB_ARGS_REQ(1));
    mrb_define_module_function(mrb, nginx, "return", ngx_http_mruby_return,
                               MRB_ARGS_REQ(1));

    request = mrb_define_class_under(mrb, nginx, "Request", mrb->object_class);

    mrb_define_method(mrb, request, "uri", ngx_http_mruby_request_uri,
                      MRB_ARGS_NONE());
    mrb_define_method(mrb, request, "args", ngx_http_mruby_request_args,
                      MRB_ARGS_NONE());
    mrb_define_method(mrb, request, "method", ngx_http_mruby_request_method,
                      MRB_ARGS_NONE());
}
