/** Every figure that more than one side needs. Units are in the names. */

export const apiBasePath = '/api/v1';

export const minimumAgeYears = 18;
export const maximumAgeYears = 120;
export const memberPasswordMinLength = 10;
export const staffPasswordMinLength = 15;
export const passwordMaxLength = 128;
export const emailMaxLength = 254;
export const nameMaxLength = 60;
export const bioMaxLength = 1000;
export const genderTextMaxLength = 60;
export const reasonMaxLength = 500;
export const placeNameMaxLength = 100;
export const searchMaxLength = 100;
export const reportTextMaxLength = 5000;

export const pictureNameMaxLength = 120;
/** The profile picture and eight more. */
export const morePicturesMax = 8;
export const pictureWidth = 1600;
export const thumbnailWidth = 400;
/** A card's picture: upright, cut to this shape. */
export const thumbnailHeight = 500;
/** Smaller pictures show nobody. */
export const pictureMinSide = 200;
/** How long an address of a picture works at most, and how long it stays the same at least. */
export const mediaAddressMaxSeconds = 600;
export const mediaAddressSameSeconds = 300;
/** Uploads that stand on no profile go after this time. */
export const unclaimedUploadHours = 24;

export const termsVersion = '2025-10-20';

export const accessTokenTtlSeconds = 15 * 60;
export const refreshRetryWindowSeconds = 30;
export const memberSessionIdleDays = 14;
export const memberSessionMaxDays = 30;
export const staffSessionIdleMinutes = 30;
export const staffSessionMaxHours = 12;
export const verificationLinkTtlHours = 24;
export const verificationCodeTtlMinutes = 10;
export const verificationCodeMaxTries = 5;
export const resendPauseSeconds = 60;
export const resendsPerDay = 5;
export const resetTokenTtlMinutes = 30;
export const resetsPerHour = 3;
export const restoreDays = 14;
/** How long a set-up of the second factor, and a sign-in that waits for its code, stay open. */
export const totpSetupMinutes = 10;
export const challengeMinutes = 10;
export const challengeMaxTries = 5;
export const recoveryCodeCount = 10;
/** How long everybody concerned has to stop the removal of a second factor, and how long its mailed link works. */
export const removalDelayHours = 72;
export const removalLinkMinutes = 60;
export const removalsPerDay = 3;
export const passkeysMax = 20;
export const passkeyNameMaxLength = 60;
export const passkeyChallengeMinutes = 5;
/** Who has neither password nor factor proves themselves by having signed in no longer ago. */
export const freshSignInMinutes = 10;
/** How long a browser has to come back from Google with its nonce, and an identity waits for a password or a consent. */
export const nonceMinutes = 10;
export const identityClaimMinutes = 15;
/** How long a provider of identities may take to answer. */
export const identityProviderWithinMs = 5000;
/** For so long after its last sign-in a device is known. */
export const knownDeviceDays = 90;
export const idempotencyHours = 24;
/** How long an administrator may take a status change of a report back, and how long its notice waits for that. */
export const reportUndoSeconds = 10;
export const reportNoticeWaitSeconds = 15;
/** What the screen offers of the ten seconds, so that the answer is in time. */
export const reportUndoShownSeconds = 5;

export const onlineWindowSeconds = 75;
export const placeCellDegrees = 0.03;
export const placeMovesPerDay = 5;

export const likeNoteMaxLength = 140;
/** Likes a free member may send on one day, UTC. */
export const freeLikesPerDay = 30;
export const messageMaxLength = 2000;
/** How long a message may be put in other words. */
export const messageEditMinutes = 5;
/** How long what two people wrote is kept after their match has ended, so that it can still be reported. */
export const conversationKeptDays = 180;
/** A report of a message holds so many before it and after it, too; one of a whole conversation as many in all, the newest. */
export const reportedMessagesAround = 5;
/** For so long after joining an account is young: it writes to few strangers, and what scammers write is warned about. */
export const youngAccountHours = 24;
/** So many people an account of that age writes to first, on one day, UTC. */
export const firstMessagesPerDay = 20;
/** Messages of the first so many from one side are looked at for what scammers write. */
export const firstMessagesWatched = 5;
/** How far back members with premium take decisions back. */
export const undoHours = 24;

export const memberLimitMax = 100;
export const moderatorLimitMax = 100;
export const administratorLimitMax = 1000;
export const defaultPageLimit = 20;
/** A search counts its hits up to this number; beyond it `totalIsExact` is false. */
export const exactTotalMax = 10_000;
export const maxPage = 1_000_000;

export const recentUsersCount = 5;
export const growthMonths = 6;
export const ageBuckets = [
  { bucket: '18-25', from: 18, to: 25 },
  { bucket: '26-35', from: 26, to: 35 },
  { bucket: '36-45', from: 36, to: 45 },
  { bucket: '46-55', from: 46, to: 55 },
  { bucket: '56+', from: 56, to: 120 },
] as const;

/** Distance bands shown to members: lower bound in km and the words for it. */
export const distanceBands = [
  { fromKm: 0, text: 'Less than 5 km away' },
  { fromKm: 5, text: '5–10 km away' },
  { fromKm: 10, text: '10–25 km away' },
  { fromKm: 25, text: '25–50 km away' },
  { fromKm: 50, text: 'More than 50 km away' },
] as const;

export const bodyLimitBytes = 256 * 1024;

/** Requests a network address may make; `RATE_LIMITS=off` lifts all of them outside production. */
/** So many different people a member is shown in a day, UTC; their matches do not count. */
export const peopleShownPerDay = 500;

export const requestLimits = {
  overall: { requests: 600, perSeconds: 60 },
  /** The web app's files, some fifty with a first visit: an office behind one network may arrive together. */
  assets: { requests: 12_000, perSeconds: 60 },
  /** Pictures, which come by the dozen with a page; counted apart from the rest. */
  media: { requests: 6000, perSeconds: 60 },
  register: { requests: 60, perSeconds: 3600 },
  /** Answers that an address is in use; then the network can join nobody for the rest of the hour. */
  addressInUse: { requests: 5, perSeconds: 3600 },
  mailRequest: { requests: 20, perSeconds: 3600 },
  codeTry: { requests: 60, perSeconds: 3600 },
  sensitive: { requests: 20, perSeconds: 900 },
  /** Challenges for passkeys, one with each visit of a sign-in page, and their answers. */
  passkey: { requests: 1200, perSeconds: 3600 },
  /** Identities shown, good or bad: as many as a network may fail to sign in by password. */
  identity: { requests: 100, perSeconds: 900 },
  profileView: { requests: 500, perSeconds: 86_400 },
  /** Other cities looked around in: from many of them a place could be measured. */
  elsewhere: { requests: 5, perSeconds: 86_400 },
  export: { requests: 10, perSeconds: 3600 },
  report: { requests: 20, perSeconds: 86_400 },
  reportReply: { requests: 300, perSeconds: 3600 },
  block: { requests: 200, perSeconds: 86_400 },
  upload: { requests: 60, perSeconds: 86_400 },
  /** Payments and cards begun: enough for every slip, too few to try stolen cards. */
  payment: { requests: 60, perSeconds: 3600 },
  /** Deliveries of the payment provider, which come in bursts from few addresses. */
  webhooks: { requests: 6000, perSeconds: 60 },
} as const;

/** The login throttle: `failures` within the window are free, then the pause doubles from one second. */
export const loginThrottle = {
  accountFailures: 10,
  networkFailures: 100,
  windowSeconds: 900,
  firstPauseSeconds: 1,
  longestPauseSeconds: 900,
} as const;

/** The same for wrong codes of the second factor; their owner is told after as many. */
export const codeThrottle = {
  accountFailures: 5,
  /** So long without one they are forgotten: far longer than the longest pause, or waiting would win more tries than it costs. */
  windowSeconds: 7 * 86_400,
  firstPauseSeconds: 60,
  longestPauseSeconds: 6 * 3600,
} as const;

/** When the server gives up on an answer, well before its client does. */
export const answerWithinMs = 9000;
/** The same for an answer that waits for a file to arrive. */
export const uploadWithinMs = 18_000;
export const readinessWithinMs = 3000;

/** The client's rules of the spec: timeout and retries. */
export const requestTimeoutMs = 20_000;
export const retryAttempts = 3;
export const retryBaseDelayMs = 1000;
