import type { FastifyReply } from 'fastify';
import * as z from 'zod/mini';
import { listedUserSchema } from '#contract/profiles/user.ts';
import type { Db } from '../../../platform/db/db.ts';
import { serializerSchema } from '../../../platform/http/mount.ts';
import { bytesOf, keep, type UnsignedText } from '../../../platform/http/ready-answer.ts';
import { type PictureViews, unsigned } from '../../../platform/session/pictures.ts';
import type { StaffViewer, Viewer } from '../policy.ts';
import { withInvolvement } from '../../../platform/session/parties.ts';
import { type UserState, userStates, usersByIds } from '../reads.ts';
import { lastActiveOf, toListedUser, type UserRow } from '../views.ts';

/** About 2 KB each. */
const textsMost = 5000;

/** All of a listed user that only changes with the rows of their account and profile. */
const fixedSchema = serializerSchema(
  z.omit(listedUserSchema, { isOnline: true, lastActive: true, emailVerificationSent: true }),
);

interface FixedText {
  version: string;
  text: UnsignedText;
}

/** Who asks for the texts of which users. */
interface UserRequest {
  db: Db;
  viewer: Viewer;
  ids: string[];
  now: Date;
  reply: FastifyReply;
}

/**
 * Listed users as ready-made JSON text, since a list of 1,000 repeats what rarely changes. Each text is used only under the versions of
 * the rows that it was made from, which every request reads, and only for viewers with the same role who may act on the user alike.
 */
export interface UserTexts {
  /** The users with these ids, in order, as JSON with one character per byte; unknown ids are left out. */
  textsFor(request: UserRequest): Promise<string[]>;
}

/** An empty memory of user texts; pictures are shown by `views`. */
export function createUserTexts(views: PictureViews): UserTexts {
  const kept = new Map<string, FixedText>();

  /** The texts of these users, which were read again where another version is known. */
  async function fixedTexts(states: UserState[], { db, viewer: asking, now, reply }: UserRequest) {
    const viewer = await withInvolvement(db, asking);
    const day = now.toISOString().slice(0, 10);
    const versionOf = ({ version }: UserState) => `${version} ${day}`;
    const keyOf = ({ id }: UserState) =>
      `${id} ${viewer.staffRole} ${viewer.isMasked === true} ${viewer.involvedWith.has(id)}`;
    const known = states.map((state) => {
      const before = kept.get(keyOf(state));
      return before?.version === versionOf(state) ? before.text : undefined;
    });
    const missing = states.flatMap(({ id }, at) => (known[at] === undefined ? [id] : []));
    const rows = new Map((await usersByIds(db, missing)).map((row) => [row.id, row]));
    return states.map((state, at) => {
      const row = rows.get(state.id);
      if (row === undefined) return known[at];
      const text = fixedText(row, viewer, now, reply);
      keep(kept, keyOf(state), { version: versionOf(state), text }, textsMost);
      return text;
    });
  }

  function fixedText(row: UserRow, viewer: StaffViewer, now: Date, reply: FastifyReply): UnsignedText {
    const user = toListedUser(row, viewer, now, views.unsignedForStaff(row.pictures));
    const text = String(reply.compileSerializationSchema(fixedSchema)(user));
    return bytesOf(text.slice(0, -1)).split(unsigned);
  }

  return {
    async textsFor(request) {
      const { db, ids, viewer, now } = request;
      const states = await userStates(db, ids);
      const texts = await fixedTexts(states, request);
      return states.flatMap((state, at) => {
        const text = texts[at];
        if (text === undefined) return [];
        const [only = ''] = text;
        const fixed = text.length === 1 ? only : text.join(views.signed(viewer.accountId, state.id, now));
        return [`${fixed},${stateText(state)}}`];
      });
    },
  };
}

function stateText(state: UserState): string {
  const lastActive = lastActiveOf(state);
  const at = lastActive === null ? 'null' : `"${lastActive}"`;
  return `"isOnline":${state.online},"lastActive":${at},"emailVerificationSent":${state.verification_sent}`;
}
