export { settingsOf as notificationSettings } from './notifications.ts';
export { quietHoursOf } from './quiet-hours.ts';
export { unsubscribeLinks } from './mail.ts';
export { unsubscribeToken } from './notifications.ts';
