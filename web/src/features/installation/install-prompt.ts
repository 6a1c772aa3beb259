import { create } from 'zustand';

/** The event with which a browser announces that it can install the app; so far only Chromium sends it. */
interface InstallPrompt extends Event {
  prompt: () => Promise<{ outcome: 'accepted' | 'dismissed' }>;
}

/** The browser's install prompt, kept until the user wants it; null if there is none. */
export const useInstallPrompt = create<{ prompt: InstallPrompt | null }>()(() => ({ prompt: null }));

window.addEventListener('beforeinstallprompt', (event) => {
  event.preventDefault();
  useInstallPrompt.setState({ prompt: event as InstallPrompt });
});
