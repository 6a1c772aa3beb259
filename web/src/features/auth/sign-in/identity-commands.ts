import type { AnswerOf, BodyInput } from '#contract/endpoint.ts';
import type { ErrorBody } from '#contract/errors.ts';
import { facebookSignIn, googleSignIn, joinWithIdentity, linkByPassword } from '#contract/auth/identities.ts';
import type { login } from '#contract/auth/session.ts';
import { ApiError } from '../../../api/api-error.ts';
import { call } from '../../../api/call.ts';
import type { Shown } from './identity-return.ts';
import { resetStatus } from '../session/session.ts';
import { enter, type SignInOutcome } from './sign-in.ts';

/** Who is new here, and what they have to say yet to join. */
export type Joining = NonNullable<NonNullable<ErrorBody['data']>['joining']>;

/** As a sign-in ends, or what is asked for first. */
export type ShownOutcome = SignInOutcome | { linkToken: string } | { joining: Joining };

function waitingFor(error: unknown): { linkToken: string } | { joining: Joining } | null {
  if (!(error instanceof ApiError)) return null;
  const { linkToken, joining } = error.data;
  return linkToken !== undefined ? { linkToken } : joining !== undefined ? { joining } : null;
}

async function enterShown(ask: () => Promise<Pick<AnswerOf<typeof login>, 'data'>>): Promise<ShownOutcome> {
  const waiting: ReturnType<typeof waitingFor>[] = [];
  const outcome = await enter(async () => {
    try {
      return await ask();
    } catch (error) {
      waiting.push(waitingFor(error));
      throw error;
    }
  });
  const [asked] = waiting;
  if (asked) resetStatus();
  return asked ?? outcome;
}

/** Signs in by what a provider gave out. */
export function enterWith(shown: Shown): Promise<ShownOutcome> {
  return enterShown(() =>
    'tokenId' in shown ? call(googleSignIn, { body: shown }) : call(facebookSignIn, { body: shown }),
  );
}

/** Joins as whom a provider has shown. */
export function joinShown(body: BodyInput<typeof joinWithIdentity>): Promise<ShownOutcome> {
  return enterShown(() => call(joinWithIdentity, { body }));
}

/** Signs in by the account's password, and links to it whom a provider has shown. */
export function linkShown(body: BodyInput<typeof linkByPassword>): Promise<ShownOutcome> {
  return enterShown(() => call(linkByPassword, { body }));
}
