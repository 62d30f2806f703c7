/* coroutines.c: coroutines for Lua that have C stacks: start(function), take(coroutine), give(value), through(function, ...).
   Compiled with libcoro's source for each kind; run_WAY executes program.lua. Requires: Lua 5.4, libcoro. */
#include <coro.c>

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
#include <stdio.h>
#include <stdlib.h>

#define JOIN(a, b) a##b
#define NAME(way) JOIN(run_, way)

enum { STACK = 256 * 1024 };

struct coroutine {
    coro_context context, *caller;
    lua_State *state; /* the function, then what it gives */
    int ended, failed;
    void *stack;
    struct coroutine *outer;
};

static struct coroutine *current;

static void begin(void *argument) {
    struct coroutine *self = argument;
    self->failed = lua_pcall(self->state, 0, 0, 0) != LUA_OK;
    self->ended = 1;
    for (;;)
        coro_transfer(&self->context, self->caller);
}

static int start(lua_State *state) {
    struct coroutine *self = lua_newuserdatauv(state, sizeof *self, 1);
    memset(self, 0, sizeof *self);
    self->state = lua_newthread(state);
    lua_setiuservalue(state, -2, 1);
    lua_pushvalue(state, 1);
    lua_xmove(state, self->state, 1);
    self->stack = malloc(STACK);
    coro_create(&self->context, begin, self, self->stack, STACK);
    return 1;
}

static int take(lua_State *state) {
    struct coroutine *self = lua_touserdata(state, 1);
    coro_context here;
    if (self->ended)
        return 0;
    coro_create(&here, NULL, NULL, NULL, 0);
    self->caller = &here;
    self->outer = current;
    current = self;
    coro_transfer(&here, &self->context);
    current = self->outer;
    if (self->ended && !self->failed)
        return 0;
    lua_xmove(self->state, state, 1);
    return self->failed ? lua_error(state) : 1;
}

static int give(lua_State *state) {
    struct coroutine *self = current;
    lua_settop(state, 1);
    if (state != self->state)
        lua_xmove(state, self->state, 1);
    coro_transfer(&self->context, self->caller);
    return 0;
}

static int through(lua_State *state) {
    lua_call(state, lua_gettop(state) - 1, 0);
    return 0;
}

int NAME(WAY)(void) {
    lua_State *state = luaL_newstate();
    luaL_openlibs(state);
    lua_register(state, "start", start);
    lua_register(state, "take", take);
    lua_register(state, "give", give);
    lua_register(state, "through", through);
    if (luaL_dofile(state, "program.lua") != LUA_OK) {
        printf("%s\n", lua_tostring(state, -1));
        return 3;
    }
    lua_close(state);
    return 0;
}
