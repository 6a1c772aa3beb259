/** Every limit and figure that both server and web app need. Units are in the names. */

/** The name of the service until its owner gives it another one. */
export const productName = 'Heartwood';

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
/** How many people staff can select one by one for an act on many. */
export const bulkIdsMax = 1000;
export const placeNameMaxLength = 100;
export const searchMaxLength = 100;
export const reportTextMaxLength = 5000;

export const pictureNameMaxLength = 120;
/** One profile picture plus eight more. */
export const morePicturesMax = 8;
/** Sharp enough for phones with three pixels per point. */
export const pictureWidth = 1280;
export const thumbnailWidth = 400;
/** Pictures on cards are cropped to this upright format. */
export const thumbnailHeight = 500;
/** Smaller pictures are refused. */
export const pictureMinSide = 200;
/** The largest phone cameras have 200 megapixels. */
export const pictureMaxMegapixels = 200;
/** How many times longer than its short side a picture's long side may be. */
export const pictureMaxRatio = 4;
/** Photos in messages may be long screenshots and panoramas, and small ones. */
export const messagePictureMaxRatio = 20;
export const messagePictureMinSide = 32;
/** The longest side of a stored photo of a message, and the shorter side of a long one, which keeps its text readable. */
export const longPictureSide = 8192;
export const longPictureShortSide = 1080;
/** A photo is long from this ratio of its sides on. */
export const longPictureRatio = 2;
/** How long a picture URL is valid at most, and how long it stays the same at least. */
export const mediaAddressMaxSeconds = 600;
export const mediaAddressSameSeconds = 300;
/** Uploads that aren't on a profile are deleted after this many hours. */
export const unclaimedUploadHours = 24;

/** Selfies that a member may send for review within seven days, and poses they may draw on one day, UTC. */
export const selfiesPerWeek = 3;
export const posesPerDay = 6;
/** How long a drawn pose is valid. */
export const poseMinutes = 30;
/** Selfies without a decision are deleted after this many days. */
export const selfieWaitDays = 7;
/** How long attempts to verify photos and their outcomes are stored. */
export const selfieRecordDays = 365;

/**
 * The day from which the terms and the privacy policy apply as they are shown, which is the date of their supplements. Versions are
 * compared as text: members who agreed to an older one are asked again.
 */
export const termsVersion = '2026-11-28';

export const accessTokenTtlSeconds = 15 * 60;
export const refreshRetryWindowSeconds = 30;
export const memberSessionIdleDays = 14;
export const memberSessionMaxDays = 30;
export const staffSessionIdleMinutes = 30;
export const staffSessionMaxHours = 12;
/** How long staff who signed in with the house's account can keep working while its provider doesn't respond. */
export const houseSilenceMinutes = 60;
export const verificationLinkTtlHours = 24;
export const verificationCodeTtlMinutes = 10;
export const verificationCodeMaxTries = 5;
export const resendPauseSeconds = 60;
export const resendsPerDay = 5;
export const resetTokenTtlMinutes = 30;
export const resetsPerHour = 3;
/** How long no password can be reset after staff corrected an address, and how many times a day an account can get each kind of help. */
export const resetHeldHours = 24;
export const helpsPerDay = 3;
export const restoreDays = 14;
/** How long setting up two-step verification, and a sign-in waiting for a code, stay open. */
export const totpSetupMinutes = 10;
export const challengeMinutes = 10;
export const challengeMaxTries = 5;
export const recoveryCodeCount = 10;
/** How long the removal of a second factor can be stopped, and how long its mailed link works. */
export const removalDelayHours = 72;
export const removalLinkMinutes = 60;
export const removalsPerDay = 3;
export const passkeysMax = 20;
export const passkeyNameMaxLength = 60;
export const passkeyChallengeMinutes = 5;
/** Accounts without password and factor must have signed in within this time to confirm actions. */
export const freshSignInMinutes = 10;
/** How long a data export can be downloaded, and how soon the next one can be prepared. */
export const exportKeptDays = 7;
export const exportPauseMinutes = 60;
/** How long the link works that is sent to people who can't sign in. */
export const lockedLinkDays = 7;
/** How long a Google nonce is valid, and how long an identity waits for a password or consent. */
export const nonceMinutes = 10;
export const identityClaimMinutes = 15;
/** Timeout for requests to identity providers. */
export const identityProviderWithinMs = 5000;
/** How long a device stays known after its last sign-in. */
export const knownDeviceDays = 90;
export const idempotencyHours = 24;
/** How long new recovery codes, or an approved export, can be fetched again with the same key. */
export const onlyCopyKeptSeconds = 600;
/** How long a report's status change can be undone; its notification waits as long. */
export const reportUndoSeconds = 10;
export const reportOutcomeWaitSeconds = 15;
/** How long the screen offers undo: shorter than the server's limit, so that the request arrives in time. */
export const reportUndoShownSeconds = 5;

export const onlineWindowSeconds = 75;
export const placeCellDegrees = 0.03;
export const placeMovesPerDay = 5;

export const likeNoteMaxLength = 140;
/** Likes a free member may send on one day, UTC. */
/** The days of all quotas are those of UTC. */
export const freeLikesPerDay = 30;
export const messageMaxLength = 2000;
export const voiceMaxSeconds = 60;
/** Half a minute stays below 300 KB at this rate, about twice the rate that our recorder requests. */
export const voiceMaxBytesPerSecond = 9000;
/** How long a message can be edited. */
export const messageEditMinutes = 5;
/** Photos in one message, and those a member can send on one day. */
export const messagePicturesMax = 6;
export const messagePicturesPerDay = 50;
/** Voice notes that a member can send on one day. */
export const messageVoicesPerDay = 100;
/** The longest side of a photo that the browser sends. */
export const messagePictureSide = 2048;
/** How many uploads a member can have that belong to no message yet. */
export const unsentMediaMax = 12;
/** How long a view-once photo is served after it was opened. */
export const openedPictureSeconds = 60;
/** How long deleted and opened media, and those of ended matches, are kept so that they can be reported. */
export const withdrawnMediaDays = 7;
/** How many photos of each person in a conversation are covered for the other one: the first ones. */
export const coveredPhotos = 6;
/** How long the last message must have waited before it counts as the receiver's turn to answer. */
export const turnAfterHours = 24;
/** From this many waiting conversations on, members are offered help once a day. */
export const turnsOfferedFrom = 12;
/** How long a conversation that ended with a goodbye can be read. */
export const goodbyeReadableDays = 7;
/** During these days after a match, each member is asked once whether they met. */
export const meetingAskedDays = { from: 7, to: 90 } as const;
/** How many messages each member must have written before they are asked. */
export const meetingMessagesLeast = 6;
/** Members who haven't met yet are asked again after this many days. */
export const meetingAskedAgainDays = 14;
/** The states of a planned date; at most one plan of a match is open, which means proposed or accepted. */
export const dateStates = ['proposed', 'accepted', 'canceled', 'replaced'] as const;
export type DateState = (typeof dateStates)[number];
/** How long messages are kept after a match ends, so that they can still be reported. */
export const conversationKeptDays = 180;

export const datePlaceMaxLength = 120;
export const dateNoteMaxLength = 300;
/** How far ahead a date can be planned. */
export const datePlannedDaysMax = 365;
/** How many dates a member can suggest to one match on one day, UTC. */
export const datesSuggestedPerDay = 10;
/** When members are asked how their date went, and when the plan and its links expire. */
export const checkInAfterHours = 2;
export const dateOverAfterHours = 24;
/** Check-ins are kept if an accepted date is canceled within this time before it begins. */
export const checkInKeptHours = 1;
/** Plans are deleted this long after the date, or after they were canceled or replaced; until then they can be reported. */
export const datePlanKeptDays = 7;
/**
 * A report of one message includes this many messages before and after it; a report of a conversation, the newest ones.
 */
export const reportedMessagesAround = 5;
/** How long an account counts as young: limited new conversations, and warnings for typical scams. */
export const youngAccountHours = 24;
/** How many conversations a young account can start per day, UTC. */
export const firstMessagesPerDay = 20;
/** How many first messages of each side are checked for typical scams. */
export const firstMessagesWatched = 5;
/** How far back members with premium can undo decisions. */
export const undoHours = 24;

/** The largest page of a list that members may request. */
export const memberLimitMax = 100;
/** The largest page of a list that staff may request, in any role. */
export const staffLimitMax = 1000;
export const defaultPageLimit = 20;
/** A search counts its hits up to this number; beyond it `totalIsExact` is false. */
export const exactTotalMax = 10_000;
export const maxPage = 1_000_000;

export const recentUsersCount = 5;
export const growthMonths = 6;

/** Distance bands shown to members: lower bound in km and the words for it. */
export const distanceBands = [
  { fromKm: 0, text: 'Less than 5 km away' },
  { fromKm: 5, text: '5–10 km away' },
  { fromKm: 10, text: '10–25 km away' },
  { fromKm: 25, text: '25–50 km away' },
  { fromKm: 50, text: 'More than 50 km away' },
] as const;

export const bodyLimitBytes = 256 * 1024;
/** For what the owner writes in every language: lists and texts that their own limits let through. */
export const longBodyLimitBytes = 1024 * 1024;

/** Requests a network address may make; `RATE_LIMITS=off` lifts all of them outside production. */
/** How many different people a member sees per day, UTC; matches don't count. */
export const peopleShownPerDay = 500;

export const requestLimits = {
  overall: { requests: 600, perSeconds: 60 },
  /** The web app's files, about fifty on a first visit, because people in one office may share a network. */
  assets: { requests: 12_000, perSeconds: 60 },
  /** Pictures, which load by the dozen and are counted separately. */
  media: { requests: 6000, perSeconds: 60 },
  register: { requests: 60, perSeconds: 3600 },
  /** "Address in use" answers. After that many, the client can't register anyone for the rest of the hour. */
  addressInUse: { requests: 5, perSeconds: 3600 },
  /** The same per network: more, so that one of its clients can't keep the others from joining. */
  addressInUseNearby: { requests: 50, perSeconds: 3600 },
  mailRequest: { requests: 20, perSeconds: 3600 },
  codeTry: { requests: 60, perSeconds: 3600 },
  /** Requests to change an address, per network, because each one could reveal whether an address is registered. */
  addressChange: { requests: 10, perSeconds: 3600 },
  sensitive: { requests: 20, perSeconds: 900 },
  /** Passkey challenges, one per visit to a sign-in page, and their answers. */
  passkey: { requests: 1200, perSeconds: 3600 },
  /** Identity sign-ins, successful or not: as many as failed password sign-ins. */
  identity: { requests: 100, perSeconds: 900 },
  profileView: { requests: 500, perSeconds: 86_400 },
  /** Changes of the browsing city, because many of them could locate a person. */
  elsewhere: { requests: 5, perSeconds: 86_400 },
  /** Requests for the number of people that filters leave; sliders send many, and each one may examine ten thousand members. */
  peopleCount: { requests: 600, perSeconds: 3600 },
  export: { requests: 10, perSeconds: 3600 },
  /** Files of transparency reports per network: one may have tens of megabytes. */
  transparency: { requests: 60, perSeconds: 3600 },
  /** Receipts, because each takes a tenth of a second to render. */
  receipt: { requests: 60, perSeconds: 3600 },
  report: { requests: 20, perSeconds: 86_400 },
  /** Sent and edited messages; no one types this fast. */
  message: { requests: 60, perSeconds: 60 },
  /** Uploads for messages, including repeated ones; each kind has a daily limit of its own. */
  messageMedia: { requests: 300, perSeconds: 86_400 },
  /** Outsider reports per network. */
  notice: { requests: 20, perSeconds: 86_400 },
  /** A solved challenge counts once while it is valid. */
  noticeProof: { requests: 1, perSeconds: 1200 },
  reportReply: { requests: 300, perSeconds: 3600 },
  /** Messages of one member of staff to members who have not written. */
  staffMessage: { requests: 20, perSeconds: 3600 },
  block: { requests: 200, perSeconds: 86_400 },
  upload: { requests: 60, perSeconds: 86_400 },
  /** Started payments and stored cards: enough to allow mistakes, too few to test stolen cards. */
  payment: { requests: 60, perSeconds: 3600 },
  /** Payment webhooks, which arrive in bursts from a few addresses. */
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

/** How long a change of address can be undone from the old one; until then no second factor or passkey can be removed. */
export const addressRestoreDays = 7;
/** How many days a previous address is kept; until then, warnings about the account are sent there, too. */
export const formerAddressDays = 14;
/** How long a pending restore can be stopped, for accounts that had neither two-step verification nor a passkey. */
export const restoreDelayHours = 72;

/** The throttle for wrong two-step codes; the owner is notified after the same number of failures. */
export const codeThrottle = {
  accountFailures: 5,
  /**
   * Failures are forgotten after this long: far longer than the longest pause, because otherwise waiting would allow
   * extra tries.
   */
  windowSeconds: 7 * 86_400,
  firstPauseSeconds: 60,
  longestPauseSeconds: 6 * 3600,
} as const;

/** The server gives up on a request after this time, well before the client does. */
export const answerWithinMs = 9000;
/** The same timeout for uploads. */
export const uploadWithinMs = 18_000;
export const readinessWithinMs = 3000;

/** The client's timeout and retries, as the spec requires. */
export const requestTimeoutMs = 20_000;
export const retryAttempts = 3;
export const retryBaseDelayMs = 1000;
