import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectRoot } from '../../launcher/command.ts';

/** A temporary copy of the project, in which files may be changed. */
export interface Workspace {
  folder: string;
  /** Its files, as paths in the project. */
  paths: string[];
  read(path: string): string | null;
  exists(path: string): boolean;
  write(path: string, text: string): void;
}

/** Copies the files that Git knows or would add, as they are now, and links to the installed packages. */
export function copyProject(): Workspace {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: projectRoot,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 ** 2,
  });
  // Deleted files are listed until the deletion is staged.
  const paths = listed.split('\0').filter((path) => path !== '' && existsSync(join(projectRoot, path)));
  const folder = mkdtempSync(join(tmpdir(), 'heartwood-mutate-'));
  // The embedded database runs as another user.
  chmodSync(folder, 0o755);
  for (const path of paths) cpSync(join(projectRoot, path), join(folder, path), { recursive: true });
  linkPackages(join(folder, 'node_modules'));
  const exists = (path: string) => existsSync(join(folder, path));
  return {
    folder,
    paths,
    exists,
    read: (path) => (exists(path) ? readFileSync(join(folder, path), 'utf8') : null),
    write: (path, text) => writeFileSync(join(folder, path), text),
  };
}

/** Links to each package, so that the caches that tools keep beside the packages are those of the copy. */
function linkPackages(folder: string): void {
  const installed = realpathSync(join(projectRoot, 'node_modules'));
  mkdirSync(folder);
  for (const name of readdirSync(installed).filter((entry) => entry === '.bin' || !entry.startsWith('.')))
    symlinkSync(join(installed, name), join(folder, name));
}
