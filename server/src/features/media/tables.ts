import type { Generated } from 'kysely';
import type { Moment } from '../../platform/db/schema.ts';

export interface PictureTable {
  id: Generated<string>;
  public_id: string;
  account_id: string;
  object_key: string;
  name: string;
  size: number;
  width: number;
  height: number;
  placeholder: string;
  sha256: Buffer;
  /** A signed bigint, as the driver reads and writes it. */
  dhash: string;
  state: 'unclaimed' | 'pending' | 'approved' | 'rejected';
  place: number | null;
  reason: string | null;
  uploaded_at: Moment;
  claimed_at: Moment | null;
  decided_at: Moment | null;
}

declare module '../../platform/db/schema.ts' {
  interface Database {
    // Uploaded pictures, what was rejected, and files to delete.
    picture: PictureTable;
    rejected_look: { dhash: string; bands: number[]; rejected_at: Moment };
    media_discard: { object_key: string; due_at: Moment };
  }
}
