export { conversationCopy, type ConversationCopy } from './copy.reads.ts';
export { hideMessage, showMessage } from './messages.ts';
export { messagesData } from './reads.ts';
