export { conversationCopy, type ConversationCopy } from './messages.copy.reads.ts';
export { messagesData } from './messages.takeout.reads.ts';
