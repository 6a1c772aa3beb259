export { settingsOf as notificationSettings } from './settings.ts';
