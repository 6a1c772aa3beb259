import type { TransparencyFile } from '#contract/moderation/transparency.ts';

declare module '../../../platform/db/schema.ts' {
  interface Database {
    transparency_report: { year: number; version: number; made_at: Moment } & Record<TransparencyFile, string>;
  }
}
