export { settingsOf as notificationSettings } from './notifications.ts';
export { unsubscribeLinks } from './mail.ts';
export { unsubscribeToken } from './notifications.ts';
