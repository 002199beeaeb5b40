// Before all else in the page, for browsers that do not tell a test what their console was told.
window.complaints = [];
addEventListener('error', ({message, target}) => complaints.push(message ?? `not loaded: ${target?.src ?? target?.href}`), true);
addEventListener('unhandledrejection', ({reason}) => complaints.push(`not handled: ${reason}`));
addEventListener('securitypolicyviolation', ({violatedDirective, blockedURI}) => complaints.push(`not allowed: ${violatedDirective} ${blockedURI}`));
{
  const {error} = console;
  console.error = (...said) => {
    complaints.push(said.join(' '));
    error.apply(console, said);
  };
}
