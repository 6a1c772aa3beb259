export { cautionFor } from './caution.ts';
export { conversationCopy, type ConversationCopy } from './copy.reads.ts';
export { hideMessage, messageAt, showMessage } from './hide.ts';
export { dropHeldMessages, holdDroppedMessages } from './holds.ts';
export { meetingsData } from './meetings.ts';
export { releaseMessages } from './release.ts';
export { messagesData } from './reads.ts';
export { snoozedData } from './snooze.ts';
