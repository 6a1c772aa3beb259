export { settingsOf as notificationSettings } from './notifications.settings.service.ts';
