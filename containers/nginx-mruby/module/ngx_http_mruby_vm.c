
/*
 * Compiling and running Ruby.  mruby reports errors by a long jump and aborts
 * the process where nobody waits for it, so whatever may raise is a body for
 * ngx_http_mruby_protect().
 */


#include "ngx_http_mruby.h"

#include <mruby/array.h>
#include <mruby/compile.h>
#include <mruby/dump.h>
#include <mruby/error.h>
#include <mruby/irep.h>
#include <mruby/proc.h>
#include <mruby/string.h>


typedef struct {
    ngx_pool_t              *pool;
    ngx_http_mruby_code_t   *code;
    ngx_str_t               *source;
} ngx_http_mruby_compile_t;


static mrb_value
ngx_http_mruby_describe(mrb_state *mrb, void *data)
{
    mrb_value  error, text, trace;

    error = mrb_obj_value(data);

    text = mrb_inspect(mrb, error);

    trace = mrb_exc_backtrace(mrb, error);
    if (!mrb_array_p(trace) || RARRAY_LEN(trace) == 0) {
        return text;
    }

    return mrb_format(mrb, "%v at %v", text,
                      mrb_ary_join(mrb, trace, mrb_str_new_lit(mrb, ", ")));
}


/* runs the body; an exception is logged and forgotten */

static ngx_int_t
ngx_http_mruby_protect(mrb_state *mrb, mrb_protect_error_func *body, void *data,
    ngx_str_t *file, ngx_uint_t level, ngx_log_t *log)
{
    int        arena;
    mrb_bool   raised, failed;
    mrb_value  error, text;

    arena = mrb_gc_arena_save(mrb);

    error = mrb_protect_error(mrb, body, data, &raised);

    if (raised) {
        text = mrb_protect_error(mrb, ngx_http_mruby_describe, mrb_ptr(error),
                                 &failed);
        if (failed) {
            ngx_log_error(level, log, 0,
                          "mruby: %V: exception without a description", file);
        } else {
            ngx_log_error(level, log, 0, "mruby: %V: %*s", file,
                          (size_t) RSTRING_LEN(text), RSTRING_PTR(text));
        }
    }

    mrb_gc_arena_restore(mrb, arena);

    return raised ? NGX_ERROR : NGX_OK;
}


/*
 * mruby runs all code of a worker process in one outermost frame and leaves it
 * as it was at the end.  A closure that outlives its request must take the
 * frame's variables with it, and no later error is to be traced to older code.
 */

static void
ngx_http_mruby_clear_frame(mrb_state *mrb)
{
    struct REnv   *env;
    mrb_callinfo  *frame;

    frame = mrb->c->ci;

    env = mrb_vm_ci_env(frame);
    mrb_vm_ci_env_set(frame, NULL);
    mrb_env_unshare(mrb, env);

    mrb_vm_ci_proc_set(frame, NULL);
}


/* some of mruby's functions leave an exception behind instead of raising it */

static void
ngx_http_mruby_raise_pending(mrb_state *mrb)
{
    if (mrb->exc) {
        mrb_exc_raise(mrb, mrb_obj_value(mrb->exc));
    }
}


static struct RProc *
ngx_http_mruby_toplevel(mrb_state *mrb, mrb_value value)
{
    struct RProc  *proc;

    ngx_http_mruby_raise_pending(mrb);

    if (!mrb_proc_p(value)) {
        mrb_raise(mrb, E_SCRIPT_ERROR, "no code");
    }

    proc = mrb_proc_ptr(value);
    MRB_PROC_SET_TARGET_CLASS(proc, mrb->object_class);

    return proc;
}


static mrbc_context *
ngx_http_mruby_context(mrb_state *mrb, ngx_http_mruby_code_t *code)
{
    mrbc_context  *context;

    context = mrbc_context_new(mrb);
    context->capture_errors = TRUE;
    context->no_exec = TRUE;
    context->lineno = (uint16_t) code->line;
    mrbc_filename(mrb, context, (char *) code->file.data);

    return context;
}


static struct RProc *
ngx_http_mruby_parse(mrb_state *mrb, ngx_http_mruby_code_t *code,
    ngx_str_t *source)
{
    mrb_value      value;
    mrbc_context  *context;

    context = ngx_http_mruby_context(mrb, code);
    value = mrb_load_nstring_cxt(mrb, (char *) source->data, source->len,
                                 context);
    mrbc_context_free(mrb, context);

    return ngx_http_mruby_toplevel(mrb, value);
}


static mrb_value
ngx_http_mruby_compile_body(mrb_state *mrb, void *data)
{
    ngx_http_mruby_compile_t  *job = data;

    size_t         size;
    u_char        *copy;
    uint8_t       *bytecode;
    struct RProc  *proc;

    ngx_http_mruby_clear_frame(mrb);

    proc = ngx_http_mruby_parse(mrb, job->code, job->source);

    if (mrb_dump_irep(mrb, proc->body.irep, MRB_DUMP_DEBUG_INFO, &bytecode,
                      &size)
        != MRB_DUMP_OK)
    {
        mrb_raise(mrb, E_SCRIPT_ERROR, "cannot make bytecode");
    }

    copy = ngx_pnalloc(job->pool, size);
    if (copy) {
        ngx_memcpy(copy, bytecode, size);
    }

    mrb_free(mrb, bytecode);

    if (copy == NULL) {
        mrb_raise(mrb, E_SCRIPT_ERROR, "no memory for bytecode");
    }

    job->code->bytecode.data = copy;
    job->code->bytecode.len = size;

    return mrb_nil_value();
}


ngx_int_t
ngx_http_mruby_compile(ngx_conf_t *cf, ngx_http_mruby_code_t *code,
    ngx_str_t *source)
{
    ngx_int_t                  rc;
    mrb_state                 *mrb;
    ngx_http_mruby_compile_t   job;

    mrb = mrb_open();
    if (mrb == NULL) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0, "mruby: cannot start");
        return NGX_ERROR;
    }

    job.pool = cf->pool;
    job.code = code;
    job.source = source;

    rc = ngx_http_mruby_protect(mrb, ngx_http_mruby_compile_body, &job,
                                &code->file, NGX_LOG_EMERG, cf->log);
    mrb_close(mrb);

    return rc;
}


static mrb_value
ngx_http_mruby_load(mrb_state *mrb, void *data)
{
    ngx_http_mruby_code_t  *code = data;

    mrb_value      value;
    mrbc_context  *context;

    context = ngx_http_mruby_context(mrb, code);
    value = mrb_load_irep_buf_cxt(mrb, code->bytecode.data, code->bytecode.len,
                                  context);
    mrbc_context_free(mrb, context);

    code->proc = ngx_http_mruby_toplevel(mrb, value);
    mrb_gc_register(mrb, value);

    return value;
}


static mrb_value
ngx_http_mruby_api(mrb_state *mrb, void *data)
{
    ngx_http_mruby_raise_pending(mrb);
    ngx_http_mruby_define_api(mrb);

    return mrb_nil_value();
}


mrb_state *
ngx_http_mruby_open(ngx_array_t *codes, ngx_log_t *log)
{
    ngx_str_t                name = ngx_string("Nginx");
    mrb_state               *mrb;
    ngx_uint_t               i;
    ngx_http_mruby_code_t  **code;

    mrb = mrb_open();
    if (mrb == NULL) {
        ngx_log_error(NGX_LOG_ALERT, log, 0, "mruby: cannot start");
        return NULL;
    }

    if (ngx_http_mruby_protect(mrb, ngx_http_mruby_api, NULL, &name,
                               NGX_LOG_ALERT, log)
        != NGX_OK)
    {
        goto failed;
    }

    code = codes->elts;

    for (i = 0; i < codes->nelts; i++) {
        if (ngx_http_mruby_protect(mrb, ngx_http_mruby_load, code[i],
                                   &code[i]->file, NGX_LOG_ALERT, log)
            != NGX_OK)
        {
            goto failed;
        }
    }

    return mrb;

failed:

    mrb_close(mrb);

    return NULL;
}


static struct RProc *
ngx_http_mruby_parse_file(mrb_state *mrb, ngx_http_mruby_ctx_t *ctx)
{
    ngx_str_t            source;
    ngx_http_request_t  *r;

    r = ctx->request;

    if (ngx_http_mruby_read_file(r->pool, NGX_LOG_ERR, r->connection->log,
                                 &ctx->code->file, &source)
        != NGX_OK)
    {
        mrb_raise(mrb, E_SCRIPT_ERROR, "no source");
    }

    return ngx_http_mruby_parse(mrb, ctx->code, &source);
}


static mrb_value
ngx_http_mruby_run_body(mrb_state *mrb, void *data)
{
    ngx_http_mruby_ctx_t  *ctx = data;

    mrb_value      value;
    struct RProc  *proc;

    ngx_http_mruby_clear_frame(mrb);

    proc = ctx->code->proc;
    if (proc == NULL) {
        proc = ngx_http_mruby_parse_file(mrb, ctx);
    }

    value = mrb_top_run(mrb, proc, mrb_top_self(mrb), 0);
    ngx_http_mruby_raise_pending(mrb);

    return value;
}


ngx_int_t
ngx_http_mruby_run(mrb_state *mrb, ngx_http_mruby_ctx_t *ctx)
{
    ngx_int_t  rc;

    mrb->ud = ctx;
    rc = ngx_http_mruby_protect(mrb, ngx_http_mruby_run_body, ctx,
                                &ctx->code->file, NGX_LOG_ERR,
                                ctx->request->connection->log);
    mrb->ud = NULL;

    return rc;
}
