import type { MessageDescriptor } from '@lingui/core';
import { msg, plural } from '@lingui/core/runtime-macro';
import type { Insertable } from 'kysely';
import { messagePicturesPerDay, messageVoicesPerDay } from '#contract/constants.ts';
import type { MessageMediaKind } from '#contract/messages/message-parts.ts';
import type { PartName } from '#contract/service/parts.ts';
import type { Deps } from '../../../deps.ts';
import { keepPicture, keepVoice, labelsOf, messagePrefix, refuseRemoved } from '../../media/public.ts';
import type { Db } from '#platform/db/db.ts';
import type { Database } from '#platform/db/schema.ts';

type Row = Insertable<Database['message_media']>;
/** A stored file: the columns that its kind fills. */
export type NewMedia = Pick<Row, 'object_key' | 'size' | 'sha256' | 'labels'> &
  Partial<Pick<Row, 'width' | 'height' | 'placeholder' | 'dhash' | 'duration_ms' | 'peaks'>>;

/** What is different about each kind of file. */
interface Kind {
  part: PartName;
  /** How many a member can upload in a day, and the refusal beyond that, with the hours until the next day. */
  perDay: number;
  usedUp: (hours: number) => MessageDescriptor;
  /** Whether the operator's automatic check reads it. */
  isChecked: boolean;
  /** The suffix of the stored file's name after the key, and the extension in a data export. */
  stored: string;
  extension: string;
  /** Checks and stores the bytes, outside any transaction. Their key begins with `messagePrefix`. */
  keep(deps: Deps, ownerId: string, upload: Buffer, peaks?: string): Promise<NewMedia>;
  /** Throws if a decision forbids this file to the account. */
  refuse?(tx: Db, ownerId: string, made: NewMedia): Promise<void>;
}

/** The kinds of files that messages can have. */
export const kinds: Record<MessageMediaKind, Kind> = {
  picture: {
    part: 'photos',
    perDay: messagePicturesPerDay,
    usedUp: (hours) =>
      msg`You can send ${{ messagePicturesPerDay }} photos a day. You can send more in ${plural({ hours }, { one: '# hour', other: '# hours' })}.`,
    isChecked: true,
    stored: '.large',
    extension: '.webp',
    async keep(deps, ownerId, upload) {
      const made = await keepPicture(deps, ownerId, upload, { prefix: messagePrefix, kind: 'messagePicture' });
      const { key: object_key, large, width, height, placeholder, sha256, dhash } = made;
      const labels = await labelsOf(deps.db, made);
      return { object_key, size: large.length, width, height, placeholder, sha256, dhash: String(dhash), labels };
    },
    refuse: (tx, ownerId, { sha256, dhash }) => refuseRemoved(tx, ownerId, { sha256, dhash: dhash ?? '0' }),
  },
  voice: {
    part: 'voice',
    perDay: messageVoicesPerDay,
    usedUp: (hours) =>
      msg`You can send ${{ messageVoicesPerDay }} voice messages a day. You can send more in ${plural({ hours }, { one: '# hour', other: '# hours' })}.`,
    isChecked: false,
    // The keys of voice notes are the names of their files.
    stored: '',
    extension: '.m4a',
    async keep(deps, ownerId, upload, peaks) {
      const made = await keepVoice(deps, ownerId, upload, messagePrefix);
      const { key: object_key, bytes, durationMs: duration_ms, sha256 } = made;
      return { object_key, size: bytes.length, duration_ms, sha256, peaks: peaks?.split(',').map(Number) ?? [] };
    },
  },
};
