import { lazyPage } from '../ui/lazy-page.tsx';

export const dashboardPage = lazyPage(() => import('./pages/DashboardPage.tsx'));
export const usersPage = lazyPage(() => import('./pages/UsersPage.tsx'));
export const userPage = lazyPage(() => import('./pages/UserPage.tsx'));
export const reportsPage = lazyPage(() => import('./pages/ReportsPage.tsx'));
export const reportPage = lazyPage(() => import('./pages/ReportPage.tsx'));
export const auditPage = lazyPage(() => import('./pages/AuditPage.tsx'));
export const settingsPage = lazyPage(() => import('./pages/SettingsPage.tsx'));
