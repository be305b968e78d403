/*
 * The module Apache as Ruby code sees it, a small part of mod_mruby's. Its
 * methods work on the request whose code is running.
 */

#include "mod_mruby.h"

#include "apr_strings.h"
#include "http_protocol.h"

#include <mruby/class.h>
#include <mruby/string.h>

static const struct {
    const char *name;
    int value;
} constants[] = {
    { "OK", OK },
    { "DECLINED", DECLINED },
    { "HTTP_OK", HTTP_OK },
    { "HTTP_CREATED", HTTP_CREATED },
    { "HTTP_ACCEPTED", HTTP_ACCEPTED },
    { "HTTP_NO_CONTENT", HTTP_NO_CONTENT },
    { "HTTP_BAD_REQUEST", HTTP_BAD_REQUEST },
    { "HTTP_UNAUTHORIZED", HTTP_UNAUTHORIZED },
    { "HTTP_FORBIDDEN", HTTP_FORBIDDEN },
    { "HTTP_NOT_FOUND", HTTP_NOT_FOUND },
    { "HTTP_METHOD_NOT_ALLOWED", HTTP_METHOD_NOT_ALLOWED },
    { "HTTP_INTERNAL_SERVER_ERROR", HTTP_INTERNAL_SERVER_ERROR },
    { "HTTP_NOT_IMPLEMENTED", HTTP_NOT_IMPLEMENTED },
    { "HTTP_BAD_GATEWAY", HTTP_BAD_GATEWAY },
    { "HTTP_SERVICE_UNAVAILABLE", HTTP_SERVICE_UNAVAILABLE },
    { NULL, 0 }
};

static request_rec *request(mrb_state *mrb)
{
    mruby_answer *answer = mrb->ud;

    return answer->r;
}

/* Apache.rputs(object): appends the object as a string to the body */
static mrb_value api_rputs(mrb_state *mrb, mrb_value self)
{
    mrb_value text = mrb_obj_as_string(mrb, mrb_get_arg1(mrb));
    mruby_answer *answer = mrb->ud;

    apr_brigade_write(answer->body, NULL, NULL, RSTRING_PTR(text),
                      RSTRING_LEN(text));

    return mrb_nil_value();
}

/*
 * Apache.return(status): Apache::OK and 200 to 299 go with the body, 300 to 599
 * is httpd's own page, Apache::DECLINED leaves the request to other handlers
 */
static mrb_value api_return(mrb_state *mrb, mrb_value self)
{
    mruby_answer *answer = mrb->ud;
    mrb_int status;

    mrb_get_args(mrb, "i", &status);

    if (status != OK && status != DECLINED && (status < 200 || status > 599)) {
        mrb_raisef(mrb, E_ARGUMENT_ERROR, "%i is no status", status);
    }

    answer->status = (int) status;

    return mrb_nil_value();
}

static mrb_value text_or_nil(mrb_state *mrb, const char *text)
{
    return text ? mrb_str_new_cstr(mrb, text) : mrb_nil_value();
}

static mrb_value request_uri(mrb_state *mrb, mrb_value self)
{
    return text_or_nil(mrb, request(mrb)->uri);
}

static mrb_value request_args(mrb_state *mrb, mrb_value self)
{
    return text_or_nil(mrb, request(mrb)->args);
}

static mrb_value request_method(mrb_state *mrb, mrb_value self)
{
    return text_or_nil(mrb, request(mrb)->method);
}

static mrb_value request_content_type(mrb_state *mrb, mrb_value self)
{
    return text_or_nil(mrb, request(mrb)->content_type);
}

static mrb_value request_set_content_type(mrb_state *mrb, mrb_value self)
{
    request_rec *r = request(mrb);
    const char *type;

    mrb_get_args(mrb, "z", &type);
    ap_set_content_type(r, apr_pstrdup(r->pool, type));

    return mrb_nil_value();
}

void mruby_define_api(mrb_state *mrb)
{
    struct RClass *apache, *request_class;
    int i;

    apache = mrb_define_module(mrb, "Apache");

    for (i = 0; constants[i].name; i++) {
        mrb_define_const(mrb, apache, constants[i].name,
                         mrb_fixnum_value(constants[i].value));
    }

    mrb_define_module_function(mrb, apache, "rputs", api_rputs,
                               MRB_ARGS_REQ(1));
    mrb_define_module_function(mrb, apache, "return", api_return,
                               MRB_ARGS_REQ(1));

    request_class = mrb_define_class_under(mrb, apache, "Request",
                                           mrb->object_class);

    mrb_define_method(mrb, request_class, "uri", request_uri, MRB_ARGS_NONE());
    mrb_define_method(mrb, request_class, "args", request_args,
                      MRB_ARGS_NONE());
    mrb_define_method(mrb, request_class, "method", request_method,
                      MRB_ARGS_NONE());
    mrb_define_method(mrb, request_class, "content_type", request_content_type,
                      MRB_ARGS_NONE());
    mrb_define_method(mrb, request_class, "content_type=",
                      request_set_content_type, MRB_ARGS_REQ(1));
}
