import { msg } from '@lingui/core/runtime-macro';
import * as z from 'zod/mini';
import { pictureNameMaxLength, reasonMaxLength } from './constants.ts';
import { answer, endpoint } from './endpoint.ts';
import { pictureSchema, pictureStates } from './media.ts';
import { idSchema, queryInteger, timeSchema, trimmedText } from './text.ts';
import { said } from './said.ts';

/**
 * The poses of selfies, in the words that ask for them. All can be done while sitting, with one hand or none, and while
 * wearing a veil or a mask.
 */
export const poses = {
  'open-hand': msg`Hold one open hand beside your face`,
  'closed-hand': msg`Hold one closed hand beside your face`,
  'thumb-up': msg`Hold one thumb up beside your face`,
  'one-finger': msg`Hold one finger up beside your face`,
  'two-fingers': msg`Hold two fingers up beside your face`,
  'three-fingers': msg`Hold three fingers up beside your face`,
  'hand-on-head': msg`Lay one hand on top of your head`,
  'hand-on-shoulder': msg`Lay one hand on your shoulder`,
  'hand-on-chest': msg`Lay one hand on your chest`,
  'hand-under-chin': msg`Hold one hand under your chin`,
  'head-tilted': msg`Tilt your head to one side`,
  'looking-up': msg`Look up, away from the camera`,
};
export type Pose = keyof typeof poses;
export const poseNames = Object.keys(poses) as Pose[];

/** The version of the text that members agree to before they take selfies. It changes with the text. */
export const selfieTermsVersion = '2026-11-27';

/** The two pictures: one of the face, one in the pose. */
export const selfieShots = ['front', 'posed'] as const;
export type SelfieShot = (typeof selfieShots)[number];

/** `drawn`: the pose is known, and the selfies aren't sent yet. `again`: staff asked for new selfies. */
export const selfieStates = ['drawn', 'waiting', 'approved', 'again', 'rejected', 'expired', 'withdrawn'] as const;
export type SelfieState = (typeof selfieStates)[number];

export const selfieVerdicts = ['approved', 'again', 'rejected'] as const;
export type SelfieVerdict = (typeof selfieVerdicts)[number];
/** The reason of a rejection needs at least this many characters, because it opens a case. */
export const selfieReasonMin = 20;

const ownSelfieSchema = z.object({
  _id: z.string(),
  state: z.enum(selfieStates),
  pose: z.enum(poseNames),
  /** Until when the selfies can be sent; null once they were. */
  sendUntil: z.nullable(timeSchema),
  /** The pictures that are already uploaded. */
  shots: z.array(z.enum(selfieShots)),
  /** Why staff asked for new selfies. */
  reason: z.nullable(z.string()),
});
export type OwnSelfie = z.output<typeof ownSelfieSchema>;

const photoVerificationSchema = z.object({
  /** Since when the member is photo verified. */
  verifiedAt: z.nullable(timeSchema),
  /** The verification ended because the pictures changed. */
  isLost: z.boolean(),
  /** The newest attempt. */
  check: z.nullable(ownSelfieSchema),
  /** When the next attempt is possible; null if one is possible now. */
  nextAttemptAt: z.nullable(timeSchema),
  /** Only photo-verified people may send me a note or the first message. */
  onlyVerifiedMayWrite: z.boolean(),
});
export type PhotoVerification = z.output<typeof photoVerificationSchema>;

const ownAnswer = answer({ data: photoVerificationSchema });
const oneOf = z.object({ id: idSchema });

export const getPhotoVerification = endpoint({
  method: 'GET',
  path: '/photo-verification',
  summary: 'Get whether I am photo verified, my newest attempt, and when the next one is possible.',
  access: 'signedIn',
  response: ownAnswer,
  errors: ['FORBIDDEN'],
});

export const drawPose = endpoint({
  method: 'POST',
  path: '/photo-verification',
  summary:
    'Agree to have my pictures verified, and get a random pose, or with `another` a new one. It is valid for 30 minutes. 400 if the words have changed.',
  access: 'completed',
  writes: true,
  body: z.object({
    /** The version of the words that the member agreed to. */
    agreedTo: z.literal(selfieTermsVersion, said(msg`This text has changed. Please reload the page to read it.`)),
    another: z.optional(z.boolean()),
  }),
  response: ownAnswer,
  errors: ['FORBIDDEN', 'CONFLICT', 'TOO_MANY_REQUESTS'],
});

export const uploadSelfie = endpoint({
  method: 'POST',
  path: '/photo-verification/{id}/{shot}',
  summary:
    'Upload one of the two selfies in the field `file`, in place of an earlier one. It is re-encoded without metadata. No member ever sees it, including me.',
  access: 'completed',
  writes: true,
  uploads: true,
  limit: 'upload',
  params: z.object({ id: idSchema, shot: z.enum(selfieShots) }),
  body: z.object({ name: z.string().check(z.maxLength(pictureNameMaxLength)), sha256: z.string() }),
  response: ownAnswer,
  errors: [
    'FORBIDDEN',
    'NOT_FOUND',
    'PAYLOAD_TOO_LARGE',
    'UNSUPPORTED_MEDIA_TYPE',
    'PICTURE_UNREADABLE',
    'PICTURE_TOO_SMALL',
    'PICTURE_TOO_LARGE',
    'TOO_LATE',
  ],
});

export const sendSelfies = endpoint({
  method: 'POST',
  path: '/photo-verification/{id}/send',
  summary: 'Send both selfies to staff, who compare them with my pictures. Sending again changes nothing.',
  access: 'completed',
  writes: true,
  params: oneOf,
  response: ownAnswer,
  errors: ['FORBIDDEN', 'NOT_FOUND', 'CONFLICT', 'TOO_LATE'],
});

export const withdrawSelfies = endpoint({
  method: 'DELETE',
  path: '/photo-verification/{id}',
  summary: 'Withdraw my selfies before they are reviewed; they are deleted at once.',
  access: 'signedIn',
  writes: true,
  params: oneOf,
  response: ownAnswer,
  errors: ['FORBIDDEN', 'NOT_FOUND'],
});

export const giveUpBadge = endpoint({
  method: 'DELETE',
  path: '/photo-verification',
  summary: 'Stop being photo verified. Repeating changes nothing.',
  access: 'signedIn',
  writes: true,
  response: ownAnswer,
  errors: ['FORBIDDEN'],
});

export const setFirstContact = endpoint({
  method: 'PUT',
  path: '/photo-verification/first-contact',
  summary: 'Choose whether only photo-verified people may send me a note or the first message.',
  access: 'signedIn',
  writes: true,
  body: z.object({ onlyVerifiedMayWrite: z.boolean() }),
  response: ownAnswer,
  errors: ['FORBIDDEN'],
});

/** Two selfies that wait for review, next to the pictures they are compared with. */
const queuedSelfieSchema = z.object({
  _id: z.string(),
  pose: z.enum(poseNames),
  sentAt: timeSchema,
  /** The URLs work only for this viewer, only until the decision, and for at most ten minutes. */
  frontUrl: z.string(),
  posedUrl: z.string(),
  user: z.object({ _id: z.string(), name: z.nullable(z.string()), age: z.nullable(z.int()) }),
  /** The pictures on the profile, the profile picture first. */
  pictures: z.array(z.extend(pictureSchema, { state: z.enum(pictureStates) })),
  /** How many earlier attempts were rejected. */
  rejectedBefore: z.int(),
});
export type QueuedSelfie = z.output<typeof queuedSelfieSchema>;

export const selfiesPerAnswer = 20;

export const listSelfies = endpoint({
  method: 'GET',
  path: '/admin/selfies',
  summary:
    'List selfies that wait for review, longest waiting first, and how many members are photo verified. Audited.',
  access: 'pictures.review',
  query: z.object({ limit: z.optional(queryInteger(1, selfiesPerAnswer)) }),
  response: answer({
    data: z.object({
      selfies: z.array(queuedSelfieSchema),
      /** The number of all that wait, counted up to 10,000. */
      total: z.int(),
      /** Photo-verified members, and members with a complete profile. */
      figures: z.object({ verified: z.int(), members: z.int() }),
    }),
  }),
});

export const decideSelfie = endpoint({
  method: 'POST',
  path: '/admin/selfies/{id}/decision',
  summary:
    "Decide whether selfies show the person in the pictures: approve them, ask for new ones with a reason the member can read, or reject them with a reason for staff, which opens the person's case. Deletes the selfies. Audited.",
  access: 'pictures.review',
  writes: true,
  params: oneOf,
  body: z.object({
    verdict: z.enum(selfieVerdicts),
    reason: z.optional(trimmedText(0, reasonMaxLength)),
    /** The `publicId` of each picture they were compared with, which must be those on the profile now. */
    pictures: z.array(idSchema).check(z.maxLength(20)),
  }),
  response: answer({ data: z.object({ verdict: z.enum(selfieVerdicts) }) }),
  errors: ['NOT_FOUND', 'CONFLICT', 'FORBIDDEN', 'INVALID_INPUT'],
  stale: ['/admin/selfies', '/admin/queue', '/admin/audit'],
});
