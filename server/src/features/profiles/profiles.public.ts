export { newestUsers } from './profiles.list.reads.ts';
