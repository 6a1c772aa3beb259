import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { machines, passwords } from './cluster.ts';
import { createProgram, must, type Program } from './program.ts';

/** The ports in the rehearsal's separate network. */
export const ports = { write: 5000, read: 5001, pooler: 6432, redis: 6379, web: 8080 };

/** The programs between members, services and the database's nodes. */
export interface Front {
  haproxy: Program;
  pooler: Program;
  redis: Program;
}

/** Whether the installed PgBouncer is 1.21 or newer, which keeps prepared statements in transaction mode. */
export async function poolerKeepsStatements(): Promise<boolean> {
  const [, major, minor] = /PgBouncer (\d+)\.(\d+)/.exec(await must('pgbouncer', '--version')) ?? [];
  return Number(major) > 1 || Number(minor) >= 21;
}

/** Writes the settings below `folder` and starts HAProxy, PgBouncer and Redis in front of the services at `appPorts`. */
export function startFront(folder: string, appPorts: number[], preparesStatements: boolean): Front {
  const write = (name: string, text: string) => {
    const file = join(folder, name);
    writeFileSync(file, text);
    chmodSync(file, 0o644);
    return file;
  };
  const proxy = write('haproxy.cfg', haproxySettings(appPorts));
  const users = write('users.txt', `"heartwood" "${passwords.serving}"\n`);
  const pooler = write('pgbouncer.ini', poolerSettings(users, preparesStatements));
  const redis = ['redis-server', '--port', String(ports.redis), '--bind', '127.0.0.1'];
  redis.push('--save', '', '--appendonly', 'no');
  const front = {
    haproxy: createProgram(folder, 'haproxy', ['haproxy', '-db', '-f', proxy]),
    pooler: createProgram(folder, 'pgbouncer', ['pgbouncer', pooler]),
    redis: createProgram(folder, 'redis', redis),
  };
  for (const program of Object.values(front)) program.start();
  return front;
}

/** Patroni's health check shows which node accepts writes. Connections to a failed node are closed, so that no request waits for it. */
function haproxySettings(appPorts: number[]): string {
  const nodes = machines.map(({ name, address }) => `  server ${name} ${address}:5432 check port 8008`);
  const apps = appPorts.map((port, index) => `  server app${index + 1} 127.0.0.1:${port} check`);
  return `global
  maxconn 2000
defaults
  mode tcp
  timeout connect 2s
  timeout check 2s
  timeout client 1h
  timeout server 1h
  option redispatch
  retries 3
listen write
  bind 127.0.0.1:${ports.write}
  option httpchk GET /primary
  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
${nodes.join('\n')}
listen read
  bind 127.0.0.1:${ports.read}
  balance roundrobin
  option httpchk GET /replica
  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
${nodes.join('\n')}
listen web
  mode http
  bind 127.0.0.1:${ports.web}
  timeout client 60s
  timeout server 60s
  timeout tunnel 1h
  option forwardfor
  option httpchk GET /readyz
  # Reads can be sent again to another process when one dies; writes only if they were not received.
  retry-on conn-failure empty-response
  http-request disable-l7-retry unless METH_GET
  # A process that stops reports it for half a second before it refuses connections; a process that is only slow stays.
  default-server inter 150ms fall 3 rise 1
${apps.join('\n')}
`;
}

/** Without `server_login_retry` the pooler waits for 15 s after a failed connection. */
function poolerSettings(users: string, preparesStatements: boolean): string {
  return `[databases]
heartwood = host=127.0.0.1 port=${ports.write} dbname=heartwood
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${ports.pooler}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${users}
pool_mode = transaction
default_pool_size = 40
max_client_conn = 500
ignore_startup_parameters = extra_float_digits,statement_timeout,lock_timeout,idle_in_transaction_session_timeout
server_connect_timeout = 3
server_login_retry = 1
query_wait_timeout = 8
log_connections = 0
log_disconnections = 0
${preparesStatements ? 'max_prepared_statements = 400' : ''}
`;
}
