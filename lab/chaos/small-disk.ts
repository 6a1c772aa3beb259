import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from '../../launcher/command.ts';

/** A disk of a few megabytes, in memory. */
export interface SmallDisk {
  /** Fills the disk except for `spareKilobytes`. */
  fill(spareKilobytes?: number): void;
  /** Deletes what `fill` wrote. */
  empty(): void;
  remove(): Promise<void>;
}

const ballast = 'ballast';

/** Mounts one at `folder` that belongs to the owner of `like`; returns null if that is not permitted. */
export async function mountSmallDisk(
  folder: string,
  options: { megabytes: number; mode: string; like: string },
): Promise<SmallDisk | null> {
  const { megabytes, mode, like } = options;
  mkdirSync(folder, { recursive: true });
  const { uid, gid } = statSync(like);
  const given = `size=${megabytes}m,mode=${mode},uid=${uid},gid=${gid}`;
  const { code } = await runCommand('mount', ['-t', 'tmpfs', '-o', given, 'tmpfs', folder], { quiet: true });
  if (code !== 0) return null;
  const file = join(folder, ballast);
  return {
    fill(spareKilobytes = 0) {
      const piece = Buffer.alloc(64 * 1024);
      const spare = join(folder, 'spare');
      writeFileSync(spare, Buffer.alloc(spareKilobytes * 1024));
      try {
        for (;;) writeFileSync(file, piece, { flag: 'a' });
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      }
      rmSync(spare);
    },
    empty() {
      rmSync(file, { force: true });
    },
    async remove() {
      await runCommand('umount', ['-l', folder], { quiet: true });
    },
  };
}
