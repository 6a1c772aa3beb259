export { cautionFor } from './caution.ts';
export { plain as readableText } from './cautions/reading.ts';
export { hasOtherWritten, lockConversation, openConversation, type OwnConversation } from './conversation.ts';
export { conversationCopy, type ConversationCopy } from './copy.reads.ts';
export { hideMessage, messageAt, showMessage } from './hide.ts';
export { dropHeldMessages, holdDroppedMessages } from './holds.ts';
export { asksMeeting, meetingsData } from './meetings.ts';
export { releaseMessages } from './release.ts';
export { messagesData } from './reads.ts';
