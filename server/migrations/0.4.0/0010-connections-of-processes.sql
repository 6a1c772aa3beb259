-- What else each process says about itself: whether Redis is out of its reach, how often members opened the app, and how
-- many of their sockets came through, since it started.
alter table server_process
  add column redis_down boolean not null default false,
  add column app_opened int not null default 0,
  add column sockets_opened int not null default 0;
