import { ApiError } from '../../../api/api-error.ts';
import { errorTexts } from '../../../api/error-texts.ts';
import { useSession } from './session.ts';

/** A command on the session is under way. */
export function beginCommand(): void {
  useSession.setState({ status: 'loading', error: null });
}

/** A command on the session has failed, in these words. */
export function failCommand(text: string): void {
  useSession.setState({ status: 'failed', error: text });
}

/** The text of a failure at the doors: sign-in and join name a missing answer in their own words. */
export function doorText(error: unknown, fallback: string): string {
  if (!(error instanceof ApiError)) return fallback;
  return error.isUnanswered ? errorTexts.doorUnreachable : error.message;
}
