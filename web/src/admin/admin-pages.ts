import { lazyPage } from '../ui/lazy-page.tsx';

export const dashboardPage = lazyPage(() => import('./pages/DashboardPage.tsx').then((module) => module.DashboardPage));
export const usersPage = lazyPage(() => import('./pages/UsersPage.tsx').then((module) => module.UsersPage));
export const userPage = lazyPage(() => import('./pages/UserPage.tsx').then((module) => module.UserPage));
export const reportsPage = lazyPage(() => import('./pages/ReportsPage.tsx').then((module) => module.ReportsPage));
export const reportPage = lazyPage(() => import('./pages/ReportPage.tsx').then((module) => module.ReportPage));
export const auditPage = lazyPage(() => import('./pages/AuditPage.tsx').then((module) => module.AuditPage));
export const settingsPage = lazyPage(() => import('./pages/SettingsPage.tsx').then((module) => module.SettingsPage));
