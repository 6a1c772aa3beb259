export { checkInvitation, takeInvitation } from './invitations.ts';
