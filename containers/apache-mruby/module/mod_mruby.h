/*
 * A handler in Ruby for httpd: mod_mruby.c is httpd's side of it, mruby_vm.c
 * compiles and runs, mruby_api.c is what the Ruby code sees.
 */

#ifndef MOD_MRUBY_H
#define MOD_MRUBY_H

#include "httpd.h"
#include "apr_buckets.h"
#include "apr_hash.h"
#include "apr_tables.h"

/* how Debian's libmruby was built, which its headers do not say */
#define MRB_NO_PRESYM
#define MRB_USE_COMPLEX
#define MRB_USE_RATIONAL

#include <mruby.h>

/* httpd needs the module structure and no more */
#pragma GCC visibility push(hidden)

/* inline code, compiled when the configuration was read */
typedef struct {
    const char *file;           /* where it stands */
    int line;                   /* of that file */
    const void *bytecode;
    apr_size_t length;          /* of the bytecode */
    int number;                 /* among all inline codes, from 0 */
} mruby_code;

/* an interpreter, with what it has loaded */
typedef struct mruby_vm {
    struct mruby_vm *next;      /* in a list of such */
    apr_pool_t *pool;           /* its own; httpd's serve one thread each */
    mrb_state *mrb;
    struct RProc **codes;       /* the inline codes, by their numbers */
    apr_hash_t *files;          /* kept compiled files, by their paths */
} mruby_vm;

/* the answer to one request as its code makes it; mrb->ud while that runs */
typedef struct {
    request_rec *r;
    apr_bucket_brigade *body;
    int status;                 /* Apache.return's, or OK */
} mruby_answer;

/* These return NULL, or what went wrong, from the pool or the request's. */

/* fills in the code's bytecode */
const char *mruby_compile(apr_pool_t *pool, mruby_code *code,
                          const char *source);
/* makes an interpreter that has loaded the codes, which are mruby_code * */
const char *mruby_open(apr_pool_t *pool, const apr_array_header_t *codes,
                       mruby_vm **vm);
/* runs the code, or where that is NULL the request's file */
const char *mruby_run(mruby_vm *vm, const mruby_code *code, int keep_file,
                      mruby_answer *answer);

/* defines the module Apache; raises an exception where memory runs out */
void mruby_define_api(mrb_state *mrb);

#pragma GCC visibility pop

#endif
