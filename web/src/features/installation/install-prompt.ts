import { create } from 'zustand';

/** What a browser hands over while the app can be installed; so far Chromium's alone. */
interface InstallPrompt extends Event {
  prompt: () => Promise<{ outcome: 'accepted' | 'dismissed' }>;
}

/** The browser's own question, held back until somebody wants to be asked; null where there is none. */
export const useInstallPrompt = create<{ prompt: InstallPrompt | null }>()(() => ({ prompt: null }));

window.addEventListener('beforeinstallprompt', (event) => {
  event.preventDefault();
  useInstallPrompt.setState({ prompt: event as InstallPrompt });
});
