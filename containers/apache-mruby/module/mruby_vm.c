/*
 * Compiling and running Ruby. mruby reports errors by a long jump and aborts
 * the process where nobody waits for it, so whatever may raise is a body for
 * protect().
 */

#include "mod_mruby.h"

#include "apr_file_io.h"
#include "apr_strings.h"

#include <mruby/array.h>
#include <mruby/compile.h>
#include <mruby/dump.h>
#include <mruby/error.h>
#include <mruby/irep.h>
#include <mruby/proc.h>
#include <mruby/string.h>

/* a file that has been compiled, and what it was like then */
typedef struct {
    apr_time_t mtime;
    apr_off_t size;
    mrb_value proc;
} kept_file;

static mrb_value describe(mrb_state *mrb, void *data)
{
    mrb_value error = mrb_obj_value(data);
    mrb_value text = mrb_inspect(mrb, error);
    mrb_value trace = mrb_exc_backtrace(mrb, error);

    if (!mrb_array_p(trace) || RARRAY_LEN(trace) == 0) {
        return text;
    }

    return mrb_format(mrb, "%v at %v", text,
                      mrb_ary_join(mrb, trace, mrb_str_new_lit(mrb, ", ")));
}

/* runs the body and returns NULL, or the exception that it raised in words */
static const char *protect(mrb_state *mrb, mrb_protect_error_func *body,
                           void *data, apr_pool_t *pool)
{
    const char *what = NULL;
    int arena = mrb_gc_arena_save(mrb);
    mrb_bool raised, failed;
    mrb_value error, text;

    error = mrb_protect_error(mrb, body, data, &raised);

    if (raised) {
        text = mrb_protect_error(mrb, describe, mrb_ptr(error), &failed);
        what = failed || !mrb_string_p(text)
                   ? "an exception without a description"
                   : apr_pstrmemdup(pool, RSTRING_PTR(text), RSTRING_LEN(text));
    }

    mrb_gc_arena_restore(mrb, arena);

    return what;
}

/*
 * An interpreter runs all code in one outermost frame and leaves it as it was
 * at the end. A closure that outlives its request must take the frame's
 * variables with it, and no later error is to be traced to older code.
 */
static void clear_frame(mrb_state *mrb)
{
    mrb_callinfo *frame = mrb->c->ci;
    struct REnv *env = mrb_vm_ci_env(frame);

    mrb_vm_ci_env_set(frame, NULL);
    mrb_env_unshare(mrb, env);
    mrb_vm_ci_proc_set(frame, NULL);
}

/* some of mruby's functions leave an exception behind instead of raising it */
static void raise_pending(mrb_state *mrb)
{
    if (mrb->exc) {
        mrb_exc_raise(mrb, mrb_obj_value(mrb->exc));
    }
}

/* makes code of what mruby's loaders return where they do not run it */
static mrb_value toplevel(mrb_state *mrb, mrb_value loaded)
{
    struct RProc *proc;

    raise_pending(mrb);

    if (!mrb_proc_p(loaded)) {
        mrb_raise(mrb, E_SCRIPT_ERROR, "no code");
    }

    proc = mrb_proc_ptr(loaded);
    MRB_PROC_SET_TARGET_CLASS(proc, mrb->object_class);

    return loaded;
}

static mrbc_context *new_context(mrb_state *mrb, const char *file, int line)
{
    mrbc_context *context = mrbc_context_new(mrb);

    context->capture_errors = TRUE;
    context->no_exec = TRUE;
    context->lineno = (uint16_t) line;
    mrbc_filename(mrb, context, file);

    return context;
}

static mrb_value parse(mrb_state *mrb, const char *file, int line,
                       const char *source, apr_size_t length)
{
    mrbc_context *context = new_context(mrb, file, line);
    mrb_value loaded = mrb_load_nstring_cxt(mrb, source, length, context);

    mrbc_context_free(mrb, context);

    return toplevel(mrb, loaded);
}

typedef struct {
    apr_pool_t *pool;
    mruby_code *code;
    const char *source;
} compile_job;

static mrb_value compile_body(mrb_state *mrb, void *data)
{
    compile_job *job = data;
    mruby_code *code = job->code;
    size_t length;
    uint8_t *bytecode;
    mrb_value proc;

    clear_frame(mrb);

    proc = parse(mrb, code->file, code->line, job->source, strlen(job->source));

    if (mrb_dump_irep(mrb, mrb_proc_ptr(proc)->body.irep, MRB_DUMP_DEBUG_INFO,
                      &bytecode, &length) != MRB_DUMP_OK) {
        mrb_raise(mrb, E_SCRIPT_ERROR, "cannot make bytecode");
    }

    code->bytecode = apr_pmemdup(job->pool, bytecode, length);
    code->length = length;
    mrb_free(mrb, bytecode);

    return mrb_nil_value();
}

const char *mruby_compile(apr_pool_t *pool, mruby_code *code,
                          const char *source)
{
    compile_job job = { pool, code, source };
    const char *error;
    mrb_state *mrb = mrb_open();

    if (!mrb) {
        return "no memory for an interpreter";
    }

    error = protect(mrb, compile_body, &job, pool);
    mrb_close(mrb);

    return error;
}

typedef struct {
    mruby_vm *vm;
    const apr_array_header_t *codes;
} open_job;

static mrb_value open_body(mrb_state *mrb, void *data)
{
    open_job *job = data;
    int i;

    raise_pending(mrb);
    mruby_define_api(mrb);

    for (i = 0; i < job->codes->nelts; i++) {
        const mruby_code *code = APR_ARRAY_IDX(job->codes, i, mruby_code *);
        mrbc_context *context = new_context(mrb, code->file, code->line);
        mrb_value loaded = mrb_load_irep_buf_cxt(mrb, code->bytecode,
                                                 code->length, context);

        mrbc_context_free(mrb, context);
        mrb_gc_register(mrb, toplevel(mrb, loaded));
        job->vm->codes[code->number] = mrb_proc_ptr(loaded);
    }

    return mrb_nil_value();
}

const char *mruby_open(apr_pool_t *pool, const apr_array_header_t *codes,
                       mruby_vm **vm)
{
    open_job job = { NULL, codes };
    apr_pool_t *own;
    const char *error;

    if (apr_pool_create_unmanaged_ex(&own, NULL, NULL) != APR_SUCCESS) {
        return "no memory for an interpreter";
    }

    job.vm = apr_pcalloc(own, sizeof(mruby_vm));
    job.vm->pool = own;
    job.vm->files = apr_hash_make(own);
    job.vm->codes = apr_pcalloc(own, codes->nelts * sizeof(struct RProc *));
    job.vm->mrb = mrb_open();

    error = job.vm->mrb ? protect(job.vm->mrb, open_body, &job, pool)
                        : "no memory for an interpreter";
    if (error) {
        mrb_close(job.vm->mrb);
        apr_pool_destroy(own);
        return error;
    }

    *vm = job.vm;

    return NULL;
}

/* returns NULL, or what went wrong */
static const char *read_file(request_rec *r, char **text, apr_size_t *length)
{
    apr_file_t *file;
    apr_finfo_t info;
    apr_status_t rv;

    rv = apr_file_open(&file, r->filename, APR_READ, APR_OS_DEFAULT, r->pool);
    if (rv == APR_SUCCESS) {
        rv = apr_file_info_get(&info, APR_FINFO_SIZE, file);
        if (rv == APR_SUCCESS) {
            *text = apr_palloc(r->pool, info.size);
            rv = apr_file_read_full(file, *text, info.size, length);
        }
        apr_file_close(file);
    }

    /* the end may have come nearer since the size was asked for */
    return rv == APR_SUCCESS || APR_STATUS_IS_EOF(rv)
               ? NULL
               : apr_psprintf(r->pool, "cannot be read: %pm", &rv);
}

static mrb_value parse_file(mrb_state *mrb, request_rec *r)
{
    char *text = NULL;
    apr_size_t length = 0;
    const char *error = read_file(r, &text, &length);

    if (error) {
        mrb_raise(mrb, E_SCRIPT_ERROR, error);
    }

    return parse(mrb, r->filename, 1, text, length);
}

/*
 * Returns the file's code as compiled before, unless the file has changed
 * since. httpd looked at it before it is read here, so that a change in between
 * is noticed by the next request.
 */
static mrb_value parse_kept_file(mrb_state *mrb, mruby_vm *vm, request_rec *r)
{
    kept_file *kept = apr_hash_get(vm->files, r->filename, APR_HASH_KEY_STRING);
    mrb_value proc;

    if (kept && kept->mtime == r->finfo.mtime && kept->size == r->finfo.size) {
        return kept->proc;
    }

    proc = parse_file(mrb, r);
    mrb_gc_register(mrb, proc);

    if (kept) {
        mrb_gc_unregister(mrb, kept->proc);
    }
    else {
        kept = apr_palloc(vm->pool, sizeof(kept_file));
        apr_hash_set(vm->files, apr_pstrdup(vm->pool, r->filename),
                     APR_HASH_KEY_STRING, kept);
    }

    kept->mtime = r->finfo.mtime;
    kept->size = r->finfo.size;
    kept->proc = proc;

    return proc;
}

typedef struct {
    mruby_vm *vm;
    const mruby_code *code;
    int keep_file;
    request_rec *r;
} run_job;

static mrb_value run_body(mrb_state *mrb, void *data)
{
    run_job *job = data;
    struct RProc *proc;
    mrb_value value;

    clear_frame(mrb);

    if (job->code) {
        proc = job->vm->codes[job->code->number];
    }
    else if (job->keep_file) {
        proc = mrb_proc_ptr(parse_kept_file(mrb, job->vm, job->r));
    }
    else {
        proc = mrb_proc_ptr(parse_file(mrb, job->r));
    }

    value = mrb_top_run(mrb, proc, mrb_top_self(mrb), 0);
    raise_pending(mrb);

    return value;
}

const char *mruby_run(mruby_vm *vm, const mruby_code *code, int keep_file,
                      mruby_answer *answer)
{
    run_job job = { vm, code, keep_file, answer->r };
    const char *error;

    vm->mrb->ud = answer;
    error = protect(vm->mrb, run_body, &job, answer->r->pool);
    vm->mrb->ud = NULL;

    return error;
}
