export { activityData } from './milestones.ts';
