export { settingsOf as notificationSettings } from './notifications.ts';
