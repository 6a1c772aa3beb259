export { preferencesOf } from './preferences.service.ts';
