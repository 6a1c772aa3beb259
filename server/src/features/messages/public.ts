export { conversationCopy, type ConversationCopy } from './copy.reads.ts';
export { messagesData } from './takeout.reads.ts';
