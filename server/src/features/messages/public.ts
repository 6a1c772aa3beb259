export { conversationCopy, type ConversationCopy } from './copy.reads.ts';
export { messagesData } from './reads.ts';
