import { lazyPage } from '../ui/loading/lazy-page.tsx';

export const dashboardPage = lazyPage(() => import('./dashboard/DashboardPage.tsx'));
export const usersPage = lazyPage(() => import('./users/UsersPage.tsx'));
export const userPage = lazyPage(() => import('./users/UserPage.tsx'));
export const reportsPage = lazyPage(() => import('./reports/ReportsPage.tsx'));
export const reportPage = lazyPage(() => import('./reports/ReportPage.tsx'));
export const auditPage = lazyPage(() => import('./audit/AuditPage.tsx'));
export const settingsPage = lazyPage(() => import('./settings/SettingsPage.tsx'));
