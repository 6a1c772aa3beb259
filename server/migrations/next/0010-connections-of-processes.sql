-- What each process says of itself besides: whether it misses Redis, how often members opened the app, and how many of
-- their sockets came through, since it started.
alter table server_process
  add column redis_down boolean not null default false,
  add column app_opened int not null default 0,
  add column sockets_opened int not null default 0;
