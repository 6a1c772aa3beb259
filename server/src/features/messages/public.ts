export { cautionFor } from './caution.ts';
export {
  hasOtherWritten,
  lockConversation,
  lockOpenConversation,
  openConversation,
  type OwnConversation,
} from './conversation.ts';
export { conversationCopy, type ConversationCopy } from './copy.reads.ts';
export { hideMessage, messageAt, showMessage } from './hide.ts';
export { withholdMessages } from './holds.ts';
export { asksMeeting, meetingsData } from './meetings.ts';
export { releaseMessages } from './release.ts';
export { messageFiles } from './media/export.reads.ts';
export { messagesData } from './reads.ts';
export { reactionsData } from './reactions.ts';
export { isSnoozedAt, snoozedData } from './snooze.ts';
export { unreadConversations } from './unread.ts';
