-- Since when a browser's push service has refused every notification for it.
alter table push_subscription add column refused_since timestamptz;
