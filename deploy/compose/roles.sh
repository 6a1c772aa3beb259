#!/bin/sh
# Run once, when the database is created: one role owns and migrates the tables, another serves.
set -eu
psql --username postgres --set serving="$SERVING_PASSWORD" --set owner="$OWNER_PASSWORD" <<'SQL'
-- It may create databases for the drill of a backup.
create role heartwood_owner login createdb password :'owner';
create role heartwood login password :'serving';
-- Set here, because PgBouncer does not pass on the time limits that the service requests.
alter role heartwood set statement_timeout = '8s';
alter role heartwood set idle_in_transaction_session_timeout = '10s';
create database heartwood owner heartwood_owner encoding utf8 template template0;
SQL
