/** Results as JSON, both ways: the records say what there is, and rules say how it is named. */
@NullMarked
@Json.Import({
    AnalysisResult.class,
    Brief.class,
    BriefChange.class,
    Detail.class,
    Holders.class,
    WhatIf.class,
    DiffDocument.class,
    FleetReport.class,
    JobSummary.class,
    JobComparison.class,
    WatchEvent.class,
    DoctorReport.class,
    GateReport.class
})
package dev.leakline.codec;

import dev.leakline.result.AnalysisResult;
import dev.leakline.result.Brief;
import dev.leakline.result.BriefChange;
import dev.leakline.result.Detail;
import dev.leakline.result.DiffDocument;
import dev.leakline.result.FleetReport;
import dev.leakline.result.Holders;
import dev.leakline.result.JobComparison;
import dev.leakline.result.JobSummary;
import dev.leakline.result.DoctorReport;
import dev.leakline.result.GateReport;
import dev.leakline.result.WatchEvent;
import dev.leakline.result.WhatIf;
import io.avaje.jsonb.Json;
import org.jspecify.annotations.NullMarked;
