import { spawnSync } from 'node:child_process';
import { existsSync, lchownSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { StartError } from '#platform/process/lifecycle.ts';

/** The system user that runs PostgreSQL when this process is root, which PostgreSQL refuses. */
export interface SystemUser {
  name: string;
  uid: number;
  gid: number;
}

/** The owner of the first of `clusters` that exists, else the first of `postgres` and `nobody` that this system has. */
export function databaseUser(clusters: string[]): SystemUser {
  const owners = clusters.filter((path) => existsSync(path)).map((path) => String(statSync(path).uid));
  for (const who of [...owners, 'postgres', 'nobody']) {
    const user = systemUser(who);
    if (user !== null && user.uid !== 0) return user;
  }
  throw new StartError(
    'PostgreSQL does not run as root, and this system has no user "postgres" or "nobody": start Heartwood as another user.',
  );
}

function systemUser(nameOrUid: string): SystemUser | null {
  const [name, uid, gid] = ['-un', '-u', '-g'].map((option) => {
    const answer = spawnSync('id', [option, nameOrUid], { encoding: 'utf8' });
    return answer.status === 0 ? answer.stdout.trim() : '';
  });
  return name && uid && gid ? { name, uid: Number(uid), gid: Number(gid) } : null;
}

/** Checked by running as that user, so folder permissions, access lists and mount options all count. */
export function canReach(user: SystemUser, path: string, access: 'execute' | 'write'): boolean {
  const test = access === 'execute' ? '-x' : '-w';
  const options = { uid: user.uid, gid: user.gid, cwd: '/', env: {} };
  return spawnSync('/bin/sh', ['-c', `test ${test} "$0"`, path], options).status === 0;
}

/** Makes `user` the owner of `path` and of everything below it. */
export function giveTo(user: SystemUser, path: string): void {
  lchownSync(path, user.uid, user.gid);
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const child = join(path, entry.name);
    if (entry.isDirectory()) giveTo(user, child);
    else lchownSync(child, user.uid, user.gid);
  }
}
