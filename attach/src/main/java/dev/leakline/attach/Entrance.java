package dev.leakline.attach;

import java.io.IOException;

/** A way to make a running Python execute a script. */
interface Entrance {
    /**
     * Asks for the script to be run as soon as that can be.
     *
     * @param script its path, as the process sees it
     */
    void enter(String script) throws IOException;

    /**
     * Takes away what is left in the process.
     *
     * @param hasRun whether the script has been run; otherwise the request is taken back where that is possible
     * @return what had to stay, in words; empty where nothing did
     */
    String withdraw(boolean hasRun) throws IOException;

    /**
     * The statement that runs a script. It binds no name in the module it runs in, needs none that the job may have given another
     * meaning ({@code from os import *} replaces open), and lets no exception out: one would appear in the middle of the job.
     */
    static String statement(String script) {
        String path = "'" + script.replace("\\", "\\\\").replace("'", "\\'") + "'";
        return "try:\n (lambda b:b.exec(b.compile((lambda f:(f.read(),f.close())[0])(b.open(" + path
                + ",encoding='utf-8')),"
                + path + ",'exec'),{'__name__':'leakline_visit'}))(__import__('builtins'))\n"
                + "except __import__('builtins').BaseException:pass\n";
    }
}
