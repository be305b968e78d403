/*
 * The directives mrubyHandlerCode, mrubyCacheFiles and mrubySharedState, the
 * interpreters, and the handler that sends the answer.
 */

#include "mod_mruby.h"

#include "ap_mpm.h"
#include "apr_strings.h"
#include "apr_thread_mutex.h"
#include "apr_thread_proc.h"
#include "http_config.h"
#include "http_log.h"
#include "http_protocol.h"
#include "util_filter.h"

AP_DECLARE_MODULE(mruby);

typedef struct {
    const mruby_code *code;     /* NULL: the surrounding section's */
    int keep_files;             /* -1: as the surrounding section has it */
} mruby_dir_conf;

/* of mruby_code *; httpd reads its configuration twice, so this begins anew */
static apr_array_header_t *codes;
static int shared_state;

/* a child has either one interpreter, or one for each of its threads */
static mruby_vm *process_vm;
static apr_threadkey_t *thread_vm;

/* the interpreters that no thread has taken yet */
static mruby_vm *stock;
static apr_thread_mutex_t *stock_mutex;

static mruby_vm *open_vm(server_rec *s, apr_pool_t *pool)
{
    mruby_vm *vm = NULL;
    const char *error = mruby_open(pool, codes, &vm);

    if (error) {
        ap_log_error(APLOG_MARK, APLOG_ALERT, 0, s, "mruby: cannot start: %s",
                     error);
    }

    return vm;
}

static void return_to_stock(void *data)
{
    mruby_vm *vm = data;

    apr_thread_mutex_lock(stock_mutex);
    vm->next = stock;
    stock = vm;
    apr_thread_mutex_unlock(stock_mutex);
}

static mruby_vm *take_from_stock(void)
{
    mruby_vm *vm;

    apr_thread_mutex_lock(stock_mutex);
    vm = stock;
    if (vm) {
        stock = vm->next;
    }
    apr_thread_mutex_unlock(stock_mutex);

    return vm;
}

/* returns the interpreter for the thread that it is called on */
static mruby_vm *current_vm(request_rec *r)
{
    void *vm = NULL;

    if (!thread_vm) {
        return process_vm;
    }

    apr_threadkey_private_get(&vm, thread_vm);

    if (!vm) {
        vm = take_from_stock();
        if (!vm) {
            /* a thread that is not the MPM's, such as one of HTTP/2's */
            vm = open_vm(r->server, r->pool);
        }
        apr_threadkey_private_set(vm, thread_vm);
    }

    return vm;
}

static int send_answer(mruby_answer *answer)
{
    request_rec *r = answer->r;
    apr_status_t rv;

    if (answer->status != OK) {
        r->status = answer->status;
    }

    APR_BRIGADE_INSERT_TAIL(answer->body, apr_bucket_eos_create(
                                              r->connection->bucket_alloc));
    rv = ap_pass_brigade(r->output_filters, answer->body);

    /* a client that has left is no error of the server's */
    return rv == APR_SUCCESS || r->connection->aborted ? OK : AP_FILTER_ERROR;
}

static int mruby_handler(request_rec *r)
{
    mruby_dir_conf *conf = ap_get_module_config(r->per_dir_config,
                                                &mruby_module);
    const mruby_code *code = NULL;
    mruby_answer answer;
    mruby_vm *vm;
    const char *error;

    if (!r->handler) {
        return DECLINED;
    }

    if (strcmp(r->handler, "mruby-native-script") == 0) {
        code = conf->code;
        if (!code) {
            return DECLINED;
        }
    }
    else if (strcmp(r->handler, "mruby-script") != 0
             || r->finfo.filetype != APR_REG) {
        return DECLINED;
    }

    vm = current_vm(r);
    if (!vm) {
        return HTTP_INTERNAL_SERVER_ERROR;
    }

    answer.r = r;
    answer.body = apr_brigade_create(r->pool, r->connection->bucket_alloc);
    answer.status = OK;

    error = mruby_run(vm, code, conf->keep_files == 1, &answer);
    if (error) {
        ap_log_rerror(APLOG_MARK, APLOG_ERR, 0, r, "mruby: %s: %s",
                      code ? code->file : r->filename, error);
        return HTTP_INTERNAL_SERVER_ERROR;
    }

    if (answer.status == OK || ap_is_HTTP_SUCCESS(answer.status)) {
        return send_answer(&answer);
    }

    return answer.status;
}

static int mruby_pre_config(apr_pool_t *pconf, apr_pool_t *plog,
                            apr_pool_t *ptemp)
{
    codes = apr_array_make(pconf, 4, sizeof(mruby_code *));
    shared_state = 0;

    return OK;
}

/*
 * Makes the interpreters. With threads that is done before there are any: some
 * of what mruby writes when it makes one, such as the table of its base64
 * decoder, is there once for all of them, and others would read it meanwhile.
 *
 * Interpreters end with the process: prefork ends a child in a signal's
 * handler, amid whatever mruby may be doing.
 */
static void mruby_child_init(apr_pool_t *pchild, server_rec *s)
{
    int threaded = AP_MPMQ_NOT_SUPPORTED;
    int threads = 0;
    mruby_vm *vm;

    ap_mpm_query(AP_MPMQ_IS_THREADED, &threaded);

    if (threaded == AP_MPMQ_NOT_SUPPORTED || shared_state) {
        process_vm = open_vm(s, pchild);
        return;
    }

    apr_threadkey_private_create(&thread_vm, return_to_stock, pchild);
    apr_thread_mutex_create(&stock_mutex, APR_THREAD_MUTEX_DEFAULT, pchild);

    ap_mpm_query(AP_MPMQ_MAX_THREADS, &threads);

    while (threads-- > 0 && (vm = open_vm(s, pchild))) {
        return_to_stock(vm);
    }
}

static void *mruby_create_dir_conf(apr_pool_t *pool, char *dir)
{
    mruby_dir_conf *conf = apr_pcalloc(pool, sizeof(mruby_dir_conf));

    conf->keep_files = -1;

    return conf;
}

static void *mruby_merge_dir_conf(apr_pool_t *pool, void *outer, void *inner)
{
    mruby_dir_conf *base = outer;
    mruby_dir_conf *add = inner;
    mruby_dir_conf *conf = apr_palloc(pool, sizeof(mruby_dir_conf));

    conf->code = add->code ? add->code : base->code;
    conf->keep_files = add->keep_files != -1 ? add->keep_files
                                             : base->keep_files;

    return conf;
}

static const char *set_handler_code(cmd_parms *cmd, void *dir_conf,
                                    const char *source)
{
    mruby_dir_conf *conf = dir_conf;
    mruby_code *code = apr_pcalloc(cmd->pool, sizeof(mruby_code));
    const char *error;

    code->file = cmd->directive->filename;
    code->line = cmd->directive->line_num;

    error = mruby_compile(cmd->pool, code, source);
    if (error) {
        return apr_pstrcat(cmd->pool, "mrubyHandlerCode: ", error, NULL);
    }

    code->number = codes->nelts;
    APR_ARRAY_PUSH(codes, mruby_code *) = code;
    conf->code = code;

    return NULL;
}

static const char *set_shared_state(cmd_parms *cmd, void *dir_conf, int on)
{
    const char *error = ap_check_cmd_context(cmd, GLOBAL_ONLY);

    if (!error) {
        shared_state = on;
    }

    return error;
}

static const command_rec commands[] = {
    AP_INIT_TAKE1("mrubyHandlerCode", set_handler_code, NULL,
                  RSRC_CONF | ACCESS_CONF,
                  "Ruby that the handler mruby-native-script runs"),
    AP_INIT_FLAG("mrubyCacheFiles", ap_set_flag_slot,
                 (void *) APR_OFFSETOF(mruby_dir_conf, keep_files),
                 RSRC_CONF | ACCESS_CONF,
                 "On: the handler mruby-script compiles a file when it has "
                 "changed; Off: for each request"),
    AP_INIT_FLAG("mrubySharedState", set_shared_state, NULL, RSRC_CONF,
                 "On: all threads of a child use one interpreter without a "
                 "lock, which crashes; Off: each has its own"),
    { NULL }
};

static void mruby_register_hooks(apr_pool_t *pool)
{
    ap_hook_pre_config(mruby_pre_config, NULL, NULL, APR_HOOK_MIDDLE);
    ap_hook_child_init(mruby_child_init, NULL, NULL, APR_HOOK_MIDDLE);
    ap_hook_handler(mruby_handler, NULL, NULL, APR_HOOK_MIDDLE);
}

module AP_MODULE_DECLARE_DATA mruby_module = {
    STANDARD20_MODULE_STUFF,
    mruby_create_dir_conf,
    mruby_merge_dir_conf,
    NULL,                       /* no configuration of servers */
    NULL,
    commands,
    mruby_register_hooks,
    AP_MODULE_FLAG_NONE
};
