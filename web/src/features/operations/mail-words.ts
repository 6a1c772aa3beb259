import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { MailProblem } from '#contract/operations.ts';

/** Why emails were not sent. */
export const mailProblemWords: Record<MailProblem, MessageDescriptor> = {
  signIn: msg`The mail server refused our sign-in.`,
  sender: msg`The mail server refused our sender address.`,
  recipient: msg`The mailbox doesn’t exist.`,
  content: msg`The mail server refused an email.`,
  later: msg`The mail server asked us to try again later.`,
  unreachable: msg`The mail server can’t be reached.`,
  other: msg`The mail server gave another reason.`,
};
