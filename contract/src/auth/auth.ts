import { msg } from '@lingui/core/runtime-macro';
import * as z from 'zod/mini';
import { textVersionSchema } from '../service/text-kinds.ts';
import { memberPasswordMinLength, nameMaxLength, passwordMaxLength, reasonMaxLength } from '../constants.ts';
import { answer, endpoint } from '../endpoint.ts';
import { genderSchema } from '../profiles/profile-details.ts';
import { languageSchema } from '../languages.ts';
import { ownUserSchema } from '../profiles/user.ts';
import { identityProviders } from './identities.ts';
import { proofErrors, proofSchema } from './factors.ts';
import { sessionFields, stepFields } from './session.ts';
import {
  atLeast,
  atMost,
  daySchema,
  emailSchema,
  givenPasswordSchema,
  idSchema,
  personNameText,
  timeSchema,
  tokenText,
  trimmedText,
  withPlainDigits,
  unstorable,
} from '../text.ts';
import { said } from '../said.ts';

/** A new password; staff need more characters, which the server checks. */
export const newPasswordSchema = z.string().check(
  // Keyboards encode the same letter as one character or as two, so both forms are normalized. Hashing does the same.
  z.overwrite((p) => p.normalize('NFC')),
  z.refine((p) => [...p].length >= memberPasswordMinLength, atLeast(memberPasswordMinLength)),
  z.refine((p) => [...p].length <= passwordMaxLength, atMost(passwordMaxLength)),
  z.refine((p) => !p.includes('\0') && p.isWellFormed(), unstorable),
);

/** The six digits from an email, with any spacing and in any script. */
const codeSchema = z.string().check(
  z.maxLength(64),
  z.overwrite((code) => withPlainDigits(code).replaceAll(/[\s-]/g, '')),
  z.regex(/^[0-9]{6}$/, said(msg`Use the six digits from the mail`)),
);

export const register = endpoint({
  method: 'POST',
  path: '/auth/register',
  summary:
    'Create an account. Emails a six-digit code and a link; the handle in the response is useless without the code.',
  access: 'everyone',
  status: 201,
  writes: true,
  creates: true,
  limit: 'register',
  body: z.object({
    email: emailSchema,
    password: newPasswordSchema,
    firstName: personNameText(1, nameMaxLength),
    lastName: z.optional(personNameText(0, nameMaxLength)),
    birthDate: z.optional(daySchema),
    gender: z.optional(z.nullable(genderSchema)),
    /** From a link of the team, while the registration is by invitation. */
    invitation: z.optional(tokenText),
    acceptTerms: z.boolean().check(z.refine((accepted) => accepted, said(msg`Accept the terms to join`))),
  }),
  response: answer({ ...sessionFields, ...stepFields, verificationToken: z.string() }),
  errors: ['EMAIL_TAKEN', 'UNDER_AGE', 'PASSWORD_REFUSED', 'REGISTRATION_CLOSED', 'INVITATION_INVALID'],
  faultMessage: msg`We couldn't create your account right now. Nothing was saved. Please try again in a moment.`,
});

export const undoRegister = endpoint({
  method: 'DELETE',
  path: '/auth/register',
  summary:
    'Take back joining with a wrong address: deletes my account at once, if its address was never confirmed. Its invitation can be used again.',
  access: 'signedIn',
  writes: true,
  limit: 'sensitive',
  response: answer({ data: z.object({}) }),
  errors: ['CONFLICT'],
});

/** Proof that the person who reads the mailbox also owns the account. */
const ownerProof = {
  password: z.optional(givenPasswordSchema),
  /** Takes over the account: every other sign-in method, session and device is removed. */
  newPassword: z.optional(newPasswordSchema),
};

export const verifyEmail = endpoint({
  method: 'POST',
  path: '/auth/verify-email',
  summary:
    'Verify the email address with the emailed link, or with handle and code, plus the session, the password or a new password. The code alone is enough when signed in, and with the handle from joining until another code is requested.',
  access: 'everyone',
  writes: true,
  limit: 'codeTry',
  body: z.union([
    z.object({ token: tokenText, ...ownerProof }),
    z.object({ verificationToken: tokenText, code: codeSchema, ...ownerProof }),
    z.object({ code: codeSchema }),
  ]),
  response: answer({
    token: z.optional(z.string()),
    refreshToken: z.optional(z.string()),
    user: z.optional(ownUserSchema),
  }),
  errors: [
    'INVALID_CODE',
    'UNAUTHENTICATED',
    'EMAIL_TAKEN',
    'CONFLICT',
    'PROOF_REQUIRED',
    'WRONG_PASSWORD',
    'PASSWORD_REFUSED',
    'TOO_MANY_REQUESTS',
    'UNAVAILABLE',
  ],
});

export const resendVerification = endpoint({
  method: 'POST',
  path: '/auth/resend-verification',
  summary: 'Email a new code and link. The response is the same for known and unknown addresses.',
  access: 'everyone',
  writes: true,
  limit: 'mailRequest',
  body: z.nullish(z.object({ email: z.optional(emailSchema) })),
  response: answer({ emailVerificationSent: z.boolean(), verificationToken: z.optional(z.string()) }),
  errors: ['UNAUTHENTICATED', 'TOO_MANY_REQUESTS'],
});

export const agreeToTerms = endpoint({
  method: 'POST',
  path: '/auth/terms',
  summary: 'Accept the current terms; any other version is refused. Stores when each version was first accepted.',
  access: 'signedIn',
  writes: true,
  body: z.object({
    /** The version of the terms that the member was shown. */
    version: textVersionSchema,
  }),
  response: answer({ data: z.object({}) }),
  errors: ['CONFLICT'],
});

export const chooseLanguage = endpoint({
  method: 'PUT',
  path: '/auth/language',
  summary:
    'Choose the language of my emails, push notifications and data exports. Answers are in the language that a request asks for with `Accept-Language`, which also is the first one of a new account.',
  access: 'signedIn',
  writes: true,
  beforeSecondFactor: true,
  body: z.object({ language: languageSchema }),
  response: answer({ data: z.object({ language: languageSchema }) }),
});

export const forgotPassword = endpoint({
  method: 'POST',
  path: '/auth/forgot-password',
  summary: 'Email a reset link if the address belongs to an account. The response never reveals whether it does.',
  access: 'everyone',
  writes: true,
  limit: 'mailRequest',
  body: z.object({ email: emailSchema }),
  response: answer({ data: z.object({}) }),
});

/** A sign-in method that a password reset removes unless the owner confirms it. */
const signInMethodSchema = z.object({
  _id: z.string(),
  kind: z.enum([...identityProviders, 'passkey']),
  /** The name of a passkey. */
  name: z.nullable(z.string()),
  addedAt: timeSchema,
});

export type SignInMethod = z.output<typeof signInMethodSchema>;

export const resetMethods = endpoint({
  method: 'POST',
  path: '/auth/reset-password/methods',
  summary: "List the other sign-in methods of a reset link's account. Changes nothing.",
  access: 'everyone',
  limit: 'codeTry',
  body: z.object({ token: tokenText }),
  response: answer({ data: z.object({ methods: z.array(signInMethodSchema) }) }),
  errors: ['INVALID_CODE'],
});

export const resetPassword = endpoint({
  method: 'POST',
  path: '/auth/reset-password',
  summary:
    "Set a new password with the emailed token. Ends every session, removes every other sign-in method that `keep` doesn't name, and doesn't sign in.",
  access: 'everyone',
  writes: true,
  limit: 'codeTry',
  body: z.object({
    token: tokenText,
    password: newPasswordSchema,
    keep: z.optional(z.array(idSchema).check(z.maxLength(50))),
  }),
  response: answer({ data: z.object({}) }),
  errors: ['INVALID_CODE', 'PASSWORD_REFUSED'],
});

export const changePassword = endpoint({
  method: 'POST',
  path: '/auth/change-password',
  summary:
    'Change the password with the current one, and the second factor if there is one. Ends every other session. Accounts without a password set their first after a fresh sign-in.',
  access: 'signedIn',
  writes: true,
  limit: 'sensitive',
  body: z.object({
    currentPassword: z.optional(givenPasswordSchema),
    password: newPasswordSchema,
    code: proofSchema.shape.code,
    passkey: proofSchema.shape.passkey,
  }),
  response: answer({ data: z.object({}) }),
  errors: [...proofErrors, 'PASSWORD_REFUSED', 'TOO_MANY_REQUESTS'],
});

export const changeEmail = endpoint({
  method: 'POST',
  path: '/auth/change-email',
  summary:
    'Request a new email address. It takes effect once the code or link sent to it is used. Only the newest request counts; the old address can cancel it.',
  access: 'signedIn',
  writes: true,
  limit: 'sensitive',
  body: z.extend(proofSchema, { email: emailSchema }),
  response: answer({ data: z.object({ verificationToken: z.string() }) }),
  errors: [...proofErrors, 'EMAIL_NOT_VERIFIED', 'TOO_MANY_REQUESTS'],
});

export const cancelEmailChange = endpoint({
  method: 'POST',
  path: '/auth/change-email/cancel',
  summary:
    'Cancel a requested change of address with the link emailed to the old one. Signs out the device that requested it. The link about an address that staff corrected puts it back until the new one is confirmed, and ends every session.',
  access: 'everyone',
  writes: true,
  limit: 'codeTry',
  body: z.object({ token: tokenText }),
  response: answer({ data: z.object({}) }),
  errors: ['INVALID_CODE', 'EMAIL_TAKEN'],
});

export const restoreEmail = endpoint({
  method: 'POST',
  path: '/auth/change-email/restore',
  summary:
    'Undo a change of address within seven days: requires the link emailed to the old address, a code or passkey from before the change, and a new password. Ends every session and removes what was added since. Accounts that had neither use the earlier password, and the restore takes effect after 72 hours unless someone stops it.',
  access: 'everyone',
  writes: true,
  limit: 'codeTry',
  body: z.extend(proofSchema, { token: tokenText, newPassword: z.optional(newPasswordSchema) }),
  response: answer({
    data: z.object({
      /** Null if the change has already taken effect. */
      takesEffectAt: z.nullable(timeSchema),
    }),
  }),
  errors: [...proofErrors, 'PASSWORD_REFUSED', 'EMAIL_TAKEN', 'CONFLICT', 'TOO_MANY_REQUESTS'],
});

export const stopRestore = endpoint({
  method: 'POST',
  path: '/auth/change-email/restore/stop',
  summary:
    'Stop undoing a change of address, with the link emailed to both addresses or on any signed-in device. The link that undoes the change is invalidated, too.',
  access: 'everyone',
  writes: true,
  limit: 'codeTry',
  body: z.object({ token: z.optional(tokenText) }),
  response: answer({ data: z.object({}) }),
  errors: ['INVALID_CODE', 'UNAUTHENTICATED'],
});

const sessionSchema = z.object({
  _id: z.string(),
  createdAt: timeSchema,
  lastUsedAt: timeSchema,
  /** Browser and system as readable text, never the raw header. */
  device: z.string(),
  /** The network prefix (/24, IPv6 /56) instead of the full address. */
  network: z.nullable(z.string()),
  current: z.boolean(),
});

export type SessionView = z.output<typeof sessionSchema>;

export const listSessions = endpoint({
  method: 'GET',
  path: '/auth/sessions',
  summary: 'List the devices signed in to this account, newest first.',
  access: 'signedIn',
  response: answer({ data: z.object({ sessions: z.array(sessionSchema) }) }),
});

export const endSession = endpoint({
  method: 'DELETE',
  path: '/auth/sessions/{id}',
  summary: 'Sign out one device. Accounts with a second factor or passkey confirm it.',
  access: 'signedIn',
  writes: true,
  limit: 'sensitive',
  params: z.object({ id: idSchema }),
  body: z.nullish(proofSchema),
  response: answer({ data: z.object({}) }),
  errors: [...proofErrors, 'NOT_FOUND'],
  stale: ['/auth/sessions'],
});

export const endOtherSessions = endpoint({
  method: 'DELETE',
  path: '/auth/sessions',
  summary:
    'Sign out all other devices and cancel a requested change of address. Accounts with a second factor or passkey confirm it.',
  access: 'signedIn',
  writes: true,
  limit: 'sensitive',
  body: z.nullish(proofSchema),
  response: answer({ data: z.object({ ended: z.int() }) }),
  errors: proofErrors,
  stale: ['/auth/sessions'],
});

export const endUserSessions = endpoint({
  method: 'POST',
  path: '/admin/users/{id}/sessions/end',
  summary:
    'Sign a user out everywhere, with a reason. Writes an audit entry and cancels a requested change of address.',
  access: 'users.secure',
  writes: true,
  limit: 'sensitive',
  params: z.object({ id: idSchema }),
  body: z.object({ reason: trimmedText(1, reasonMaxLength) }),
  response: answer({ data: z.object({ ended: z.int() }) }),
  errors: ['NOT_FOUND', 'FORBIDDEN'],
});

export const leaveService = endpoint({
  method: 'DELETE',
  path: '/auth/account',
  summary: 'Delete the account: hidden at once, all sessions ended, 14 days to restore it.',
  access: 'signedIn',
  writes: true,
  limit: 'sensitive',
  body: proofSchema,
  response: answer({ data: z.object({ restoreUntil: timeSchema }) }),
  errors: [...proofErrors, 'FORBIDDEN', 'TOO_MANY_REQUESTS'],
});

export const restoreAccount = endpoint({
  method: 'POST',
  path: '/auth/account/restore',
  summary:
    'Restore the account within 14 days with the emailed handle, or the one returned by a sign-in, and the second factor if there is one.',
  access: 'everyone',
  writes: true,
  limit: 'codeTry',
  body: z.object({ token: tokenText, code: proofSchema.shape.code, passkey: proofSchema.shape.passkey }),
  response: answer({ data: z.object({}) }),
  errors: ['INVALID_CODE', 'PROOF_REQUIRED', 'PASSKEY_REFUSED', 'TOO_MANY_REQUESTS'],
});
